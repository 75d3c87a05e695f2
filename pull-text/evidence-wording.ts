/** The sentences below a description that are our own, in the language of the text above them (F9). */
import type { CheckNeed, LackedThing } from '#model/environment';
import type { CheckResult } from '#model/evidence';
import { wordList } from '#tools/words';

const ENGLISH = {
  heading: 'Checks',
  noneFound: 'No check was run: none was found in this repository for this change.',
  untold: 'No check was run: nothing in this repository says how its tests are run.',
  ran: 'Run on exactly the files of this commit:',
  noneRan: 'No check was run here:',
  notRun: 'Not run here:',
  outcomes: {
    passed: 'passed',
    failed: 'FAILED',
    timed_out: 'TIMED OUT',
    not_run: 'could not be run',
    ran_no_test: 'ran no test',
  } satisfies Record<CheckResult['outcome'], string>,
  checked: (command: string, result: string) => `${command}: ${result}`,
  exit: (code: number | null) => ` (exit ${code})`,
  failsHere: (why: string) => `fails here without this change too: ${why}`,
  countsFailures: 'counts failures, though it ends with exit code 0',
  countsFailuresBefore: 'counts failures, on the base branch too, though it ends with exit code 0',
  redBefore: 'fails on the base branch too',
  passedNow: {
    failing: 'passed, and fails on the base branch',
    flaky: 'passed, and passes only sometimes on the base branch',
  },
  and: ' and ',
  listed: (all: string) => ` (${all})`,
  needs: {
    history: 'the whole history and tags',
    submodules: 'submodules',
    lfs: 'files of Git LFS',
    services: 'services',
    secrets: 'secrets',
    system: 'another system',
  } satisfies Record<CheckNeed['kind'], string>,
  lacks: {
    network: 'the network',
    service: 'a running service',
    docker: 'Docker',
    browser: 'a browser',
    display: 'a display',
    system_library: 'a system library',
    memory: 'more memory',
    package: 'a package',
    permission: 'rights',
    older_node: 'an older Node',
    older_python: 'an older Python',
    free_port: 'a free port',
    writable_folder: 'a folder that it may write to',
    open_files: 'more open files',
    git_identity: 'a name and an address for git',
    time_zone: 'data of time zones',
    terminal: 'a terminal',
    ordinary_user: 'an ordinary user',
    interpreter: 'another interpreter',
    variable: 'a variable of the environment',
  } satisfies Record<LackedThing, string>,
  gaps: {
    needs: (all: string) => `it needs ${all}`,
    toolVersion: (name: string, asked: string, version: string | null) =>
      `the repository asks for ${name} ${asked}${version === null ? '' : `, and it ran with ${version}`}`,
    ciVersion: (name: string, versions: string, version: string) =>
      `CI uses ${name} ${versions}, and it ran with ${version}`,
    orNewer: (oldest: string) => `${oldest} or newer`,
    between: (oldest: string, newest: string) => `${oldest} to ${newest}`,
    timeLimit: 'it did not end within the time limit',
    lacks: (what: string) => `it needs ${what} that the machine lacks`,
    noProgram: (name: string) => `${name} is not installed on the machine`,
    installFails: (command: string) => `${command} fails on the machine`,
    ciGreen: 'CI is green there',
  },
  inFolder: (command: string, dir: string) => `${command} in ${dir}`,
  more: (count: number) => `${count} more`,
  comma: ', ',
  unrun: {
    folder: (commands: string) => `Not run here, because no file of its folder is changed: ${commands}.`,
    filter: (commands: string) => `Not run, because CI runs it for other files: ${commands}.`,
    prose: (commands: string) => `Not run, because only texts are changed: ${commands}.`,
  },
  leftToCi: (commands: string) => `Left to CI: ${commands}.`,
  redFirst: (commands: string, base: string, several: boolean) =>
    `With the tests of this change alone, ${commands} ${several ? 'fail' : 'fails'} on ${base}; here ${several ? 'they pass' : 'it passes'}.`,
  notLoaded: (commands: string, base: string) =>
    `The tests of this change need the rest of it to load: ${commands} cannot run them on ${base}.`,
  greenFirst: (commands: string, base: string, several: boolean) =>
    `With the tests of this change alone, ${commands} ${several ? 'pass' : 'passes'} on ${base} as well, so ${several ? 'they do' : 'it does'} not show what this changes.`,
  testsChanged: (names: string) => `Existing tests are changed: ${names}.`,
  testsRemoved: (names: string) => `Tests are removed or renamed: ${names}.`,
  testsSkipped: (names: string) => `More tests are skipped or expected to fail: ${names}.`,
  madeBy: {
    revert: 'Made by `git revert`',
    script: 'Made by a script',
    agent: (engine: string) => `Made by a coding agent (${engine})`,
  },
  approved: {
    plain: '; a person approved exactly this content before it was opened.',
    described: '; a person wrote this description and approved exactly this content before it was opened.',
    answered:
      '; a person answered what only a person can say and approved exactly this content before it was opened.',
  },
};
export type EvidenceWording = typeof ENGLISH;

const CHINESE: EvidenceWording = {
  heading: '检查',
  noneFound: '没有运行检查：在这个仓库里没有找到与这个改动有关的检查。',
  untold: '没有运行检查：这个仓库没有说明如何运行它的测试。',
  ran: '以下检查针对这个提交的文件运行：',
  noneRan: '这里没有运行任何检查：',
  notRun: '没有在这里运行：',
  outcomes: {
    passed: '通过',
    failed: '未通过',
    timed_out: '超时',
    not_run: '无法运行',
    ran_no_test: '没有运行任何测试',
  },
  checked: (command, result) => `${command}：${result}`,
  exit: (code) => `（退出码 ${code}）`,
  failsHere: (why) => `没有这个改动，它在这里也不通过：${why}`,
  countsFailures: '统计中有失败的测试，退出码却是 0',
  countsFailuresBefore: '统计中有失败的测试（在基准分支上也是），退出码却是 0',
  redBefore: '在基准分支上同样不通过',
  passedNow: {
    failing: '通过，而在基准分支上不通过',
    flaky: '通过，而在基准分支上只是有时通过',
  },
  and: '和 ',
  listed: (all) => `（${all}）`,
  needs: {
    history: '完整的历史和标签',
    submodules: '子模块',
    lfs: 'Git LFS 的文件',
    services: '服务',
    secrets: '密钥',
    system: '另一种系统',
  },
  lacks: {
    network: '网络',
    service: '正在运行的服务',
    docker: 'Docker',
    browser: '浏览器',
    display: '显示器',
    system_library: '系统库',
    memory: '更多内存',
    package: '软件包',
    permission: '更多权限',
    older_node: '更旧的 Node',
    older_python: '更旧的 Python',
    free_port: '空闲端口',
    writable_folder: '可写的目录',
    open_files: '更多可打开的文件',
    git_identity: 'git 的姓名和邮箱',
    time_zone: '时区数据',
    terminal: '终端',
    ordinary_user: '普通用户',
    interpreter: '另一个解释器',
    variable: '环境变量',
  },
  gaps: {
    needs: (all) => `它需要${all}`,
    toolVersion: (name, asked, version) =>
      `仓库要求 ${name} ${asked}${version === null ? '' : `，这里用的是 ${version}`}`,
    ciVersion: (name, versions, version) => `CI 用的是 ${name} ${versions}，这里用的是 ${version}`,
    orNewer: (oldest) => `${oldest} 或更新`,
    between: (oldest, newest) => `${oldest} 到 ${newest}`,
    timeLimit: '它没有在时限内结束',
    lacks: (what) => `它需要${what}，这台机器上没有`,
    noProgram: (name) => `这台机器上没有安装 ${name}`,
    installFails: (command) => `${command} 在这台机器上失败`,
    ciGreen: 'CI 在那里通过了',
  },
  inFolder: (command, dir) => `${dir} 中的 ${command}`,
  more: (count) => `另外 ${count} 项`,
  comma: '、',
  unrun: {
    folder: (commands) => `没有在这里运行，因为所在目录没有改动：${commands}。`,
    filter: (commands) => `没有运行，因为 CI 只为其他文件运行它：${commands}。`,
    prose: (commands) => `没有运行，因为只改动了文字：${commands}。`,
  },
  leftToCi: (commands) => `留给 CI：${commands}。`,
  redFirst: (commands, base) => `只加上这个改动的测试时，${commands} 在 ${base} 上不通过；在这里通过。`,
  notLoaded: (commands, base) => `这个改动的测试依赖改动本身：${commands} 无法在 ${base} 上运行它们。`,
  greenFirst: (commands, base) =>
    `只加上这个改动的测试时，${commands} 在 ${base} 上也通过，所以它不能说明这个改动的作用。`,
  testsChanged: (names) => `改动了已有的测试：${names}。`,
  testsRemoved: (names) => `删除或重命名了测试：${names}。`,
  testsSkipped: (names) => `有更多测试被跳过或预期失败：${names}。`,
  madeBy: {
    revert: '由 `git revert` 完成',
    script: '由脚本完成',
    agent: (engine) => `由编程代理（${engine}）完成`,
  },
  approved: {
    plain: '；创建之前，有人批准了与此完全相同的内容。',
    described: '；有人撰写了这段描述，并在创建之前批准了与此完全相同的内容。',
    answered: '；有人回答了只有本人才能说明的事项，并在创建之前批准了与此完全相同的内容。',
  },
};

const PORTUGUESE: EvidenceWording = {
  heading: 'Verificações',
  noneFound:
    'Nenhuma verificação foi executada: não foi encontrada nenhuma neste repositório para esta mudança.',
  untold: 'Nenhuma verificação foi executada: este repositório não diz como executar os seus testes.',
  ran: 'Executado exatamente com os arquivos deste commit:',
  noneRan: 'Nenhuma verificação foi executada aqui:',
  notRun: 'Não executado aqui:',
  outcomes: {
    passed: 'passou',
    failed: 'FALHOU',
    timed_out: 'EXCEDEU O TEMPO',
    not_run: 'não pôde ser executado',
    ran_no_test: 'não executou nenhum teste',
  },
  checked: (command, result) => `${command}: ${result}`,
  exit: (code) => ` (código de saída ${code})`,
  failsHere: (why) => `falha aqui também sem esta mudança: ${why}`,
  countsFailures: 'conta falhas, embora termine com o código de saída 0',
  countsFailuresBefore: 'conta falhas, também na branch de base, embora termine com o código de saída 0',
  redBefore: 'falha também na branch de base',
  passedNow: {
    failing: 'passou, e falha na branch de base',
    flaky: 'passou, e na branch de base passa só às vezes',
  },
  and: ' e ',
  listed: (all) => ` (${all})`,
  needs: {
    history: 'o histórico inteiro e as tags',
    submodules: 'submódulos',
    lfs: 'arquivos do Git LFS',
    services: 'serviços',
    secrets: 'segredos',
    system: 'outro sistema',
  },
  lacks: {
    network: 'a rede',
    service: 'um serviço em execução',
    docker: 'o Docker',
    browser: 'um navegador',
    display: 'uma tela',
    system_library: 'uma biblioteca do sistema',
    memory: 'mais memória',
    package: 'um pacote',
    permission: 'permissões',
    older_node: 'um Node mais antigo',
    older_python: 'um Python mais antigo',
    free_port: 'uma porta livre',
    writable_folder: 'uma pasta em que possa escrever',
    open_files: 'mais arquivos abertos',
    git_identity: 'um nome e um e-mail para o git',
    time_zone: 'dados de fusos horários',
    terminal: 'um terminal',
    ordinary_user: 'um usuário comum',
    interpreter: 'outro interpretador',
    variable: 'uma variável de ambiente',
  },
  gaps: {
    needs: (all) => `precisa de: ${all}`,
    toolVersion: (name, asked, version) =>
      `o repositório pede ${name} ${asked}${version === null ? '' : `, e foi usado ${version}`}`,
    ciVersion: (name, versions, version) => `a CI usa ${name} ${versions}, e aqui foi usado ${version}`,
    orNewer: (oldest) => `${oldest} ou mais novo`,
    between: (oldest, newest) => `${oldest} a ${newest}`,
    timeLimit: 'não terminou dentro do limite de tempo',
    lacks: (what) => `falta nesta máquina: ${what}`,
    noProgram: (name) => `${name} não está instalado nesta máquina`,
    installFails: (command) => `${command} falha nesta máquina`,
    ciGreen: 'lá a CI passou',
  },
  inFolder: (command, dir) => `${command} em ${dir}`,
  more: (count) => `mais ${count}`,
  comma: ', ',
  unrun: {
    folder: (commands) => `Não executado aqui, porque nenhum arquivo da sua pasta mudou: ${commands}.`,
    filter: (commands) => `Não executado, porque a CI o executa para outros arquivos: ${commands}.`,
    prose: (commands) => `Não executado, porque só mudaram textos: ${commands}.`,
  },
  leftToCi: (commands) => `Deixado para a CI: ${commands}.`,
  redFirst: (commands, base, several) =>
    `Só com os testes desta mudança, ${commands} ${several ? 'falham' : 'falha'} em ${base}; aqui ${several ? 'passam' : 'passa'}.`,
  notLoaded: (commands, base) =>
    `Os testes desta mudança precisam do resto dela para carregar: ${commands} não pode executá-los em ${base}.`,
  greenFirst: (commands, base, several) =>
    `Só com os testes desta mudança, ${commands} ${several ? 'passam' : 'passa'} também em ${base}, por isso ${several ? 'não mostram' : 'não mostra'} o que ela muda.`,
  testsChanged: (names) => `Testes existentes foram alterados: ${names}.`,
  testsRemoved: (names) => `Testes foram removidos ou renomeados: ${names}.`,
  testsSkipped: (names) => `Mais testes são ignorados ou devem falhar: ${names}.`,
  madeBy: {
    revert: 'Feito por `git revert`',
    script: 'Feito por um script',
    agent: (engine) => `Feito por um agente de programação (${engine})`,
  },
  approved: {
    plain: '; uma pessoa aprovou exatamente este conteúdo antes da abertura.',
    described: '; uma pessoa escreveu esta descrição e aprovou exatamente este conteúdo antes da abertura.',
    answered:
      '; uma pessoa respondeu ao que só uma pessoa pode dizer e aprovou exatamente este conteúdo antes da abertura.',
  },
};

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
const MIN_SIGNS = 8;
const isChinese = (text: string): boolean => {
  const signs = countOf(text, /\p{Script=Han}/gu);
  const isOther = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
  return !isOther && signs >= MIN_SIGNS && signs > countOf(text, /\p{L}+/gu);
};
const LANGUAGES = ['en', 'pt'] as const;
const FUNCTION_WORDS = LANGUAGES.map((language) => wordList('pull-text/words', 'functionWords', language));
const MIN_FUNCTION_WORDS = 3;
const isPortuguese = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [english = 0, own = 0] = FUNCTION_WORDS.map((list) => words.filter((word) => list.has(word)).length);
  return own >= MIN_FUNCTION_WORDS && own > english;
};
/** Names and code keep their letters, so Chinese is what has more of its signs than words. */
export const evidenceWordingFor = (text: string): EvidenceWording => {
  const prose = text.replace(/`[^`\n]*`|https?:\S+/g, ' ');
  return isChinese(prose) ? CHINESE : isPortuguese(prose) ? PORTUGUESE : ENGLISH;
};
export const ENGLISH_EVIDENCE: EvidenceWording = ENGLISH;
