/** Which grammar reads which files, and what in its trees is a definition or a call. Data. */

export type LanguageName = keyof typeof GRAMMARS;

const C_LIKE_CALLS = '(call_expression function: (identifier) @call)';
const JAVASCRIPT_DEFINITIONS = [
  '(function_declaration name: (_) @name) @definition',
  '(generator_function_declaration name: (_) @name) @definition',
  '(class_declaration name: (_) @name) @definition',
  '(method_definition name: (_) @name) @definition',
  '(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition)',
  '(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition)',
  '(export_statement (lexical_declaration (variable_declarator name: (identifier) @name))) @definition',
  '(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(function_expression) (arrow_function)]) @definition',
];
const JAVASCRIPT_CALLS = [
  '(call_expression function: [(identifier) @call (member_expression property: (property_identifier) @call)])',
  '(new_expression constructor: (identifier) @call)',
];
const TYPESCRIPT_DEFINITIONS = [
  ...JAVASCRIPT_DEFINITIONS,
  '(abstract_class_declaration name: (_) @name) @definition',
  '(interface_declaration name: (_) @name) @definition',
  '(type_alias_declaration name: (_) @name) @definition',
  '(enum_declaration name: (_) @name) @definition',
];

export const GRAMMARS = {
  javascript: {
    grammar: 'javascript',
    extensions: ['js', 'jsx', 'mjs', 'cjs'],
    definitions: JAVASCRIPT_DEFINITIONS,
    calls: JAVASCRIPT_CALLS,
  },
  typescript: {
    grammar: 'typescript',
    extensions: ['ts', 'mts', 'cts'],
    definitions: TYPESCRIPT_DEFINITIONS,
    calls: JAVASCRIPT_CALLS,
  },
  tsx: {
    grammar: 'tsx',
    extensions: ['tsx'],
    definitions: TYPESCRIPT_DEFINITIONS,
    calls: JAVASCRIPT_CALLS,
  },
  python: {
    grammar: 'python',
    extensions: ['py', 'pyi'],
    definitions: [
      '(function_definition name: (_) @name) @definition',
      '(class_definition name: (_) @name) @definition',
      '(module (expression_statement (assignment left: (identifier) @name)) @definition)',
    ],
    calls: ['(call function: [(identifier) @call (attribute attribute: (identifier) @call)])'],
  },
  go: {
    grammar: 'go',
    extensions: ['go'],
    definitions: [
      '(function_declaration name: (_) @name) @definition',
      '(method_declaration name: (_) @name) @definition',
      '(type_spec name: (_) @name) @definition',
      '(source_file (const_declaration (const_spec name: (_) @name)) @definition)',
      '(source_file (var_declaration (var_spec name: (_) @name)) @definition)',
    ],
    calls: [
      '(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])',
    ],
  },
  rust: {
    grammar: 'rust',
    extensions: ['rs'],
    definitions: [
      '(function_item name: (_) @name) @definition',
      '(struct_item name: (_) @name) @definition',
      '(enum_item name: (_) @name) @definition',
      '(trait_item name: (_) @name) @definition',
      '(impl_item type: (_) @name) @definition',
      '(type_item name: (_) @name) @definition',
      '(const_item name: (_) @name) @definition',
      '(static_item name: (_) @name) @definition',
      '(macro_definition name: (_) @name) @definition',
      '(mod_item name: (_) @name body: (_)) @definition',
    ],
    calls: [
      '(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call) (scoped_identifier name: (identifier) @call)])',
      '(macro_invocation macro: (identifier) @call)',
    ],
  },
  java: {
    grammar: 'java',
    extensions: ['java'],
    definitions: [
      '(class_declaration name: (_) @name) @definition',
      '(interface_declaration name: (_) @name) @definition',
      '(enum_declaration name: (_) @name) @definition',
      '(record_declaration name: (_) @name) @definition',
      '(method_declaration name: (_) @name) @definition',
      '(constructor_declaration name: (_) @name) @definition',
    ],
    calls: [
      '(method_invocation name: (identifier) @call)',
      '(object_creation_expression type: (type_identifier) @call)',
    ],
  },
  csharp: {
    grammar: 'c-sharp',
    extensions: ['cs'],
    definitions: [
      '(class_declaration name: (_) @name) @definition',
      '(struct_declaration name: (_) @name) @definition',
      '(interface_declaration name: (_) @name) @definition',
      '(enum_declaration name: (_) @name) @definition',
      '(record_declaration name: (_) @name) @definition',
      '(method_declaration name: (_) @name) @definition',
      '(constructor_declaration name: (_) @name) @definition',
      '(property_declaration name: (_) @name) @definition',
    ],
    calls: [
      '(invocation_expression function: [(identifier) @call (member_access_expression name: (identifier) @call)])',
    ],
  },
  cpp: {
    grammar: 'cpp',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
    definitions: [
      '(function_definition declarator: (function_declarator declarator: (_) @name)) @definition',
      '(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @definition',
      '(struct_specifier name: (_) @name body: (_)) @definition',
      '(class_specifier name: (_) @name body: (_)) @definition',
      '(enum_specifier name: (_) @name body: (_)) @definition',
      '(type_definition declarator: (type_identifier) @name) @definition',
      '(preproc_function_def name: (_) @name) @definition',
    ],
    calls: [C_LIKE_CALLS, '(call_expression function: (field_expression field: (field_identifier) @call))'],
  },
  ruby: {
    grammar: 'ruby',
    extensions: ['rb', 'rake', 'gemspec'],
    definitions: [
      '(method name: (_) @name) @definition',
      '(singleton_method name: (_) @name) @definition',
      '(class name: (_) @name) @definition',
      '(module name: (_) @name) @definition',
    ],
    calls: ['(call method: (identifier) @call)'],
  },
  php: {
    grammar: 'php',
    extensions: ['php'],
    definitions: [
      '(function_definition name: (_) @name) @definition',
      '(class_declaration name: (_) @name) @definition',
      '(interface_declaration name: (_) @name) @definition',
      '(trait_declaration name: (_) @name) @definition',
      '(method_declaration name: (_) @name) @definition',
    ],
    calls: [
      '(function_call_expression function: (name) @call)',
      '(member_call_expression name: (name) @call)',
      '(scoped_call_expression name: (name) @call)',
    ],
  },
  bash: {
    grammar: 'bash',
    extensions: ['sh', 'bash'],
    definitions: ['(function_definition name: (_) @name) @definition'],
    calls: ['(command name: (command_name (word) @call))'],
  },
} as const satisfies Record<
  string,
  {
    grammar: string;
    extensions: readonly string[];
    definitions: readonly string[];
    calls: readonly string[];
  }
>;

const isLanguage = (name: string): name is LanguageName => Object.hasOwn(GRAMMARS, name);
export const LANGUAGE_NAMES: readonly LanguageName[] = Object.keys(GRAMMARS).filter(isLanguage);
const BY_EXTENSION: ReadonlyMap<string, LanguageName> = new Map(
  LANGUAGE_NAMES.flatMap((name) => GRAMMARS[name].extensions.map((extension) => [extension, name] as const)),
);

export const languageOf = (path: string): LanguageName | null =>
  BY_EXTENSION.get(/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
