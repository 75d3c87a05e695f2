/** Reads sentences about AI-made changes in languages other than English. */

/** JavaScript's `\b` knows only ASCII letters. */
const wordsPattern = (...alternatives: string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join('|')})(?![\p{L}\p{N}])`, 'iu');
const partsPattern = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'), 'iu');

type Language = {
  model: RegExp;
  made: RegExp;
  refuses: RegExp;
  unless: RegExp;
};

const ANY_MODEL = ['AI', 'LLMs?', 'GPT', 'ChatGPT', 'Copilot', 'Claude', 'Codex', 'Gemini'];
const ANY_CHANGE = ['Pull[- ]?Requests?', 'Merge[- ]?Requests?', 'PRs?', 'Patch(?:es|s)?', 'Commits?'];

const LANGUAGES: readonly Language[] = [
  {
    model: wordsPattern(
      'KI',
      'KIs',
      String.raw`künstliche\p{L}* Intelligenz`,
      String.raw`Sprachmodell\p{L}*`,
      ...ANY_MODEL,
    ),
    made: wordsPattern(
      ...[
        String.raw`\p{L}{0,40}(?:generier|erzeug|erstell|geschrieb|verfass|produzier|unterstütz)\p{L}*`,
        'Code',
      ],
      ...[
        String.raw`Beitr[aä]g\p{L}*`,
        String.raw`Einreichung\p{L}*`,
        'Einsatz',
        'Nutzung',
        'Verwendung',
        ...ANY_CHANGE,
      ],
    ),
    refuses: wordsPattern(
      ...[
        'verboten',
        'untersagt',
        'unerwünscht',
        'unzulässig',
        'abgelehnt',
        'zurückgewiesen',
        'geschlossen',
        'ausgeschlossen',
      ],
      String.raw`nicht (?:\p{L}+ )?(?:akzeptiert|angenommen|erlaubt|gestattet|zugelassen|zulässig|erwünscht|gewünscht|willkommen|geduldet|toleriert|gemergt|übernommen)`,
      String.raw`(?:akzeptieren|nehmen|erlauben|dulden|wollen|wünschen|mergen|möchten) (?:\p{L}+ ){0,2}kein\p{L}*`,
      String.raw`noch (?:\p{L}+ )?(?:akzeptiert|angenommen|erlaubt|zugelassen|geduldet|gemergt|übernommen)`,
      String.raw`lehnen\b[^.]{0,80} ab`,
    ),
    unless: wordsPattern('ohne', 'wenn', 'falls', 'sofern', 'außer', 'nur', 'solange', 'ungeprüft\\p{L}*'),
  },
  {
    model: wordsPattern('IA', 'intelligences? artificielles?', 'modèles? de langage', ...ANY_MODEL),
    made: wordsPattern(
      String.raw`(?:génér|écri|rédig|produi|cré|assist|contribu)\p{L}*`,
      'code',
      'usage',
      'recours',
      String.raw`utilis\p{L}*`,
      ...ANY_CHANGE,
    ),
    refuses: wordsPattern(
      ...[String.raw`(?:interdi|refus|rejet|proscri|prohib|banni)\p{L}*`, String.raw`fermée?s?`],
      String.raw`(?:ne |n')(?:accept|autoris|permet|admet|tolér|fusionn|souhait|voul|pren)\p{L}* (?:\p{L}+ )?(?:pas|plus|jamais|aucun\p{L}*)`,
      String.raw`(?:ne |n')(?:est|sont|sera|seront) (?:pas|plus|jamais) (?:\p{L}+ )?(?:accept|autoris|permis|admis|bienvenu|tolér|souhait|fusionn|considér)\p{L}*`,
      String.raw`n'acceptons (?:pas|aucun\p{L}*)`,
      String.raw`ni (?:\p{L}+ )?(?:accept|autoris|permis|admis|tolér|fusionn)\p{L}*`,
    ),
    unless: wordsPattern(
      'sans',
      'si',
      'sauf',
      'que si',
      'uniquement',
      'à moins',
      'non (?:relu|vérifié|testé)\\p{L}*',
    ),
  },
  {
    model: wordsPattern(
      'IA',
      String.raw`inteligencias? artificial(?:es)?`,
      'inteligência artificial',
      'intelligenza artificiale',
      String.raw`model(?:os|o|li|lo) (?:de|di) (?:lenguaje|linguagem|linguaggio)`,
      ...ANY_MODEL,
    ),
    made: wordsPattern(
      String.raw`(?:gener|gerad|escrit|scritt|cread|criad|creat|produ[czt]|contribu|asistid|assistid|assistit)\p{L}*`,
      'código',
      'codice',
      'us[oa]r?e?',
      String.raw`utili[zs]\p{L}*`,
      ...ANY_CHANGE,
    ),
    refuses: wordsPattern(
      ...[
        String.raw`(?:proh[ií]b|pro[ií]b|viet|rechaz|rejeit|recus|rifiut|respin|cerrad|fechad|chius)\p{L}*`,
      ],
      String.raw`(?:no|não|non) (?:\p{L}+ ){0,3}(?:acept|aceit|accett|permit|permess|bienvenid|bem-vind|benvenut|toler|consentit|ammess|desead)\p{L}*`,
      String.raw`(?:ni|nem|né) (?:\p{L}+ ){0,2}(?:acept|aceit|accett|permit|toler|admit|ammess)\p{L}*`,
      'nada de',
    ),
    unless: wordsPattern(
      ...[
        'sin',
        'sem',
        'senza',
        'si',
        'se n[ãa]o',
        'se non',
        'salvo',
        's[oó]lo',
        'excepto',
        'exceto',
        'tranne',
      ],
      ...['a menos', 'a meno'],
    ),
  },
  {
    model: wordsPattern(
      'AI',
      'SI',
      String.raw`sztuczn\p{L}+ inteligencj\p{L}+`,
      'ИИ',
      String.raw`искусственн\p{L}+ интеллект\p{L}*`,
      String.raw`нейросет\p{L}*`,
      String.raw`языков\p{L}+ модел\p{L}*`,
      ...ANY_MODEL,
    ),
    made: wordsPattern(
      String.raw`(?:wygenerowan|napisan|stworzon|generowan|użyc|używ|сгенерирован|генерир|создан|написан|использ|вклад|патч)\p{L}*`,
      String.raw`kod\p{L}*`,
      String.raw`код\p{L}*`,
      String.raw`пул+[- ]?реквест\p{L}*`,
      ...ANY_CHANGE,
    ),
    refuses: wordsPattern(
      String.raw`(?:zabronion|odrzucan|запрещ|отклон|закрыва)\p{L}*`,
      String.raw`nie (?:\p{L}+ )?(?:akceptuj|akceptow|przyjmuj|przyjmow|jest akcept|są akcept|jest dozw|są dozw|wolno)\p{L}*`,
      String.raw`не (?:\p{L}+ )?(?:приним|допуска|разреш|принят|привет|мерж)\p{L}*`,
    ),
    unless: wordsPattern('bez', 'jeśli', 'chyba', 'tylko', 'без', 'если', 'кроме', 'только'),
  },
  {
    model: partsPattern(
      '(?<![A-Za-z])AI(?![A-Za-z])',
      '人工智[能慧]',
      '[语語]言模型',
      '大模型',
      '生成式',
      ...ANY_MODEL,
    ),
    made: partsPattern(
      '(?:AI|人工智[能慧]|模型|GPT|Copilot|Claude|Codex|Gemini|LLMs?)\\s?(?:工具|助手)?\\s?(?:辅助|輔助)?(?:生成|编写|編寫|撰写|撰寫|创建|創建|产生|產生|写|寫|创作)',
      '(?:使用|用|由|借助|通过|透過|依靠)[^。，；]{0,24}(?:生成|编写|編寫|撰写|撰寫|创建|創建|提交|贡献|貢獻|写|寫)',
      '(?:AI|LLM)\\s?(?:PR|代码|代碼|程式碼|补丁|贡献|貢獻)',
    ),
    refuses: partsPattern(
      '禁止',
      '不接受',
      '不接納',
      '不允[许許]',
      '不得',
      '[请請]勿',
      '拒[绝絕]',
      '不[欢歡]迎',
      '不[会會]?合[并併]',
      '不要',
      '谢绝',
      '謝絕',
      '[关關][闭閉]',
      '不被接受',
    ),
    unless: partsPattern(
      '不理解',
      '不[懂明]',
      '[无無]法解[释釋]',
      '直接(?:提交|使用|复制|複製)',
      '原[样樣]',
      '低[质質]',
      '未经',
      '未經',
      '除非',
      '如果',
      '若',
      '必须',
      '必須',
      '[应應]当',
      '需要?(?:说明|說明|注明|声明|標註|标注)',
      '[没沒]有',
      '而不',
      '仅',
      '僅',
    ),
  },
  {
    model: partsPattern('(?<![A-Za-z])AI(?![A-Za-z])', '人工知能', '言語モデル', ...ANY_MODEL),
    made: partsPattern(
      '生成',
      '作成',
      '書かれ',
      '書いた',
      'コード',
      'プルリク',
      'コントリビュ',
      '貢献',
      '使用',
      '利用',
    ),
    refuses: partsPattern(
      '禁止',
      '受け付けません',
      '受け付けない',
      '受け入れません',
      '受け入れない',
      '認めません',
      '認めない',
      '許可しません',
      '許可されていません',
      'お断り',
      '拒否',
      '却下',
      'しないでください',
      'できません',
    ),
    unless: partsPattern('場合', 'そのまま', '理解', 'なしに', 'せずに', 'ない限り', '無断'),
  },
  {
    model: partsPattern('(?<![A-Za-z])AI(?![A-Za-z])', '인공지능', '언어 ?모델', ...ANY_MODEL),
    made: partsPattern('생성', '작성', '만든', '만들', '코드', '기여', '풀 ?리퀘스트', 'PR', '사용'),
    refuses: partsPattern(
      '허용되지 않',
      '허용하지 않',
      '금지',
      '받지 않',
      '받아들이지 않',
      '거부',
      '거절',
      '하지 마',
    ),
    unless: partsPattern('그대로', '이해하지', '없이', '경우', '않은', '않는 한'),
  },
];

/** Refuses only text, pictures or reports, or needs a person to weigh it. */
const BESIDES = partsPattern(
  ...[
    '回复',
    '回覆',
    '评论',
    '評論',
    '评审',
    '描述',
    '[图圖]片',
    '翻[译譯]',
    '议题',
    '議題',
    '(?<![A-Za-z])issues?(?![A-Za-z])',
  ],
  ...['コメント', '返信', '画像', '翻訳', 'イシュー', '답변', '댓글', '이미지', '번역', '이슈'],
  ...['respuestas?', 'comentarios?', 'im[aá]gen', 'tradu[cç]', 'descripci', 'descriç'],
  ...['antworten', 'kommentar', 'bilder', 'übersetzung', 'beschreibung', 'fehlerbericht'],
  ...['réponses?', 'commentaires?', 'images?', 'traductions?', 'ответ', 'комментар', 'перевод', 'изображен'],
);
const OF_CHANGES = partsPattern(
  ...[
    '代[码碼]',
    '程式',
    '[贡貢][献獻]',
    '补丁',
    'コード',
    'プル',
    '貢献',
    '코드',
    '기여',
    '(?<![A-Za-z])PRs?(?![A-Za-z])',
  ],
  ...['código', 'codice', 'contribu', 'pull', 'merge', 'patch', 'code', 'beitr[aä]g', 'код', 'вклад', 'кода'],
);
/** What is not forbidden is not refused, whatever the sentence goes on to ask. */
const NOT_FORBIDDEN = partsPattern(
  String.raw`(?<!\p{L})(?:nicht|n'est pas|ne sont pas|pas|no est[áa]n?|não (?:é|está|são)|non (?:è|sono)|nie (?:jest|są)|не) (?:\p{L}+ )?(?:verboten|untersagt|ausgeschlossen|interdit|proscrit|prohibid|proibid|vietad|zabronion|запрещ)\p{L}*`,
  ...[
    '(?:并|並)?不禁止',
    '没有禁止',
    '沒有禁止',
    '禁止(?:され|し)て(?:い)?(?:ません|ない)',
    '금지(?:하지|되지) 않',
  ],
);
const sayNo = (whole: string, { model, made, refuses }: Language): boolean => {
  const sentence = whole.replace(NOT_FORBIDDEN, ' ');
  return model.test(sentence) && made.test(sentence) && refuses.test(sentence);
};

const MODEL_IN_OTHER_LANGUAGES =
  /الذكاء الاصطناعي|هوش مصنوعی|בינה מלאכותית|कृत्रिम बुद्धि|एआई|yapay zek[aâ]|kunstmatige intelligentie|artificiell intelligens|kunstig intelligens|tekoäly|umelou inteligenc|uměl\p{L}+ inteligenc|штучн\p{L}+ інтелект|trí tuệ nhân tạo|ปัญญาประดิษฐ์|τεχνητ\p{L}+ νοημοσύν|inteligenț\p{L}+ artificial|mesterséges intelligenci|kecerdasan buatan|изкуствен\p{L}* интелект/iu;
const NAMES_AI = /(?<!\p{L})(?:AI|LLMs?|ChatGPT|Copilot|GPT)(?!\p{L})/u;
const OTHER_LANGUAGES = wordsPattern(
  ...[
    'een',
    'het',
    'wordt',
    'worden',
    'niet',
    'geen',
    'door',
    'inte',
    'ikke',
    'som',
    'och',
    'eller',
    'av',
    'og',
  ],
  ...[
    've',
    'ile',
    'bir',
    'tarafından',
    'ja',
    'nebo',
    'není',
    'jsou',
    'của',
    'không',
    'sau',
    'este',
    'nem',
    'és',
  ],
  ...['tidak', 'dan', 'yang', 'oleh', 'від', 'ми', 'та'],
);
const ENGLISH = wordsPattern(
  'the',
  'are',
  'not',
  'to',
  'and',
  'by',
  'with',
  'you',
  'this',
  'that',
  'be',
  'would',
);
const isInOtherLanguage = (sentence: string): boolean =>
  MODEL_IN_OTHER_LANGUAGES.test(sentence) ||
  (NAMES_AI.test(sentence) && OTHER_LANGUAGES.test(sentence) && !ENGLISH.test(sentence));

/** A negation in other words: somebody who reads the language must judge it. */
const SAYS_NO =
  /(?<!\p{L})(?:pas|jamais|trop|aucun\p{L}*|nicht|kein\p{L}*|nunca|jamás|não|nie|не|нельзя)(?!\p{L})|禁|不要|勿|ません|않/iu;
export const mayRefuseInOtherLanguage = (sentence: string): boolean =>
  SAYS_NO.test(sentence) &&
  !ENGLISH.test(sentence) &&
  LANGUAGES.some(({ model, made }) => model.test(sentence) && made.test(sentence));

/** `conditional`: it refuses only some such changes, so a person must read it. */
export const nonEnglishAiRefusal = (sentence: string): 'outright' | 'conditional' | null => {
  const isEnglish = /^[ -~“”‘’–—…\s]*$/.test(sentence) && ENGLISH.test(sentence);
  const language = isEnglish ? undefined : LANGUAGES.find((one) => sayNo(sentence, one));
  // guard: E7-other-languages-asked
  if (!language) return isInOtherLanguage(sentence) ? 'conditional' : null;
  const besides = BESIDES.test(sentence) && !OF_CHANGES.test(sentence);
  return besides || language.unless.test(sentence) ? 'conditional' : 'outright';
};
