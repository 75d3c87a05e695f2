/** Finds rules other than refusals in languages other than English. */
import type { FoundRule, RuleReader } from './rule-passage.ts';

const MODEL =
  /(?<![A-Za-z])(?:AI|LLMs?|GPT|ChatGPT|Copilot|Claude|KI|IA)(?![A-Za-z])|(?<!\p{L})ИИ(?!\p{L})|人工智[能慧]|大模型|生成AI|言語モデル|인공지능|нейросет|künstliche\p{L}* Intelligenz|intelig[êe]ncia artificial|inteligencia artificial|intelligence artificielle/iu;

const TELLS =
  /说明|說明|注明|声明|聲明|标注|標註|披露|明記|開示|申告|明示|밝혀|명시|표시|offenleg\p{L}*|angeben|gekennzeichnet|kenntlich|kennzeichn\p{L}*|indiquez|indiquer|mentionne\p{L}*|signale\p{L}*|déclar\p{L}*|ind[ií][cq]\p{L}*|menciona\p{L}*|declar\p{L}*|divulg\p{L}*|informe|укажите|указ\p{L}+|сообщ\p{L}+|раскры\p{L}+/iu;
const NON_ENGLISH_DUTY =
  /请|請|必须|必須|需要?|应|應|务必|ください|必要|しなければ|べき|주세요|하세요|바랍니다|합니다|해야|bitte|müssen|muss|sollen|soll|veuillez|merci de|pensez à|n'oubliez pas|il faut|doit|doivent|devez|musst|müsst|indíca\p{L}*|indíqu\p{L}*|por favor|debe\p{L}*|deve\p{L}*|favor|indique|пожалуйста|должн\p{L}+|необходимо|нужно|следует|просим|укажите/iu;
const NO =
  /不接受|禁止|不得|请勿|請勿|nicht|kein\p{L}*|interdit|prohib\p{L}*|proib\p{L}*|запрещ\p{L}*|금지|않/iu;

const PULL =
  /(?<![A-Za-z])(?:PRs?|MRs?)(?![A-Za-z])|[Pp]ull[- ]?[Rr]equests?|拉取请求|拉取請求|合并请求|提交代码|プルリク\p{L}*|プルリクエスト|풀 ?리퀘스트|пул+[- ]?реквест\p{L}*/u;
const ISSUE =
  /(?<![A-Za-z])[Ii]ssues?(?![A-Za-z])|议题|議題|工单|イシュー|課題|이슈|Tickets?|tickets?|incidencias?|discussões?|обсужден\p{L}*|задач\p{L}*/u;
/** A pull request without an issue is not taken. */
const ISSUE_WANTED =
  /без\s+(?:ссылки\s+на\s+)?(?:задач\p{L}*|issue|тикет\p{L}*)[^.]{0,60}(?:не\s+(?:\p{L}+\s+)?(?:принят|принима|рассматр|рассмотр|смёрж)|отклон|закры)|(?:没有|没|未|無|沒有)(?:关联|關聯|对应|對應)?[^。]{0,6}issue[^。]{0,12}(?:PR|MR|合并请求)[^。]{0,14}(?:不|关闭|關閉|拒)|ohne (?:verknüpftes |zugehöriges )?(?:Issue|Ticket)[^.]{0,50}(?:nicht|abgelehnt|geschlossen)|sans (?:issue|ticket)[^.]{0,50}(?:pas|refus|ferm)|sin (?:una? )?issue[^.]{0,50}(?:no se|rechaz|cerrad)/iu;
const WORK =
  /[编編][写寫]代[码碼]|[开開]始[开開][发發]|コードを書|着手|作業を?(?:始|開始)|ブランチを(?:切|作)|から開始|zu arbeiten|implementier\p{L}*|empezar a|implementar|coder|programmer|писать код|작업을 시작/iu;
const NON_ENGLISH_BEFORE =
  /\bvor (?:jedem|dem|einem)\b|之前|前(?:に|，|,|请|請|先|必)|先|まず|事前|てから|먼저|전에|zuerst|zunächst|bevor|vorher|d'abord|avant|au préalable|primero|antes|previamente|primeiro|сначала|перед|прежде|предварительно/iu;
const OPENED_FIRST = /先(?:提|开|開|建|创建|創建|提交)\s?(?:一[个個])?\s?issue/iu;
const FIRST_IN_LIST =
  /^\W*(?:\d+[.)] )?(?:сначала|сперва|d'abord|commencez par|zuerst|zunächst|primero|primeiro),? (?:\p{L}+[ ]){0,3}?(?:issue|тикет|задачу|ticket|incidencia)/iu;
const OF_LARGE =
  /重大|较大|大型|大的|比较大|大きな|大規模|큰|대규모|größere\p{L}*|große\p{L}*|important\p{L}*|majeur\p{L}*|gros\p{L}*|grande\p{L}*|крупн\p{L}*|больш\p{L}*|significativ\p{L}*/iu;
const OF_REPORTS =
  /阅读|閱讀|搜索|检索|検索|重[复複](?!劳动|工作|作業|開発)|검색|중복|suchen|suche|cherche\p{L}*|recherche\p{L}*|busca\p{L}*|поищ\p{L}*|проверьте/iu;

const BASE: readonly RegExp[] = [
  /(?:提交|合并|合併|提|发起|發起|创建|推送|指向|目标)\s?的?\s?(?:PR|MR|pull request|代码|请求)?\s?(?:到|至|向|给|為|为|是|分支为?|是到)\s?(?:[^\s，。]{0,8}的\s?)?[`「“"']?([\w./-]{2,30})[`」”"']?\s?(?:分支|branch)/iu,
  /[`「]{0,2}([\w./-]{2,30})[`」]{0,2}\s?ブランチから(?![^。]{0,20}ない)[^。]{0,10}(?:切|作成|派生)/iu,
  /(?:PR|プルリク\p{L}*)\s?を\s?[`「]?([\w./-]{2,30})[`」]?\s?(?:ブランチ)?\s?(?:向け|宛)/iu,
  /[从從]\s?[`「]?([\w./-]{2,30})[`」]?\s?(?:分支)?\s?(?:切出|拉出|拉取|创建|新建|检出|創建)[^。]{0,12}分支/iu,
  /(?:向|到|对|對|基于|基於|从|從)\s?(?:[^\s，。`]{1,8}的\s?)?[`「“"]?([\w./-]{2,30})[`」”"]?\s?(?:分支|ブランチ|브랜치)[^。]{0,14}(?:提交|发起|發起|提|PR|送|出|作成|보내)/iu,
  /[`「]?([\w./-]{2,30})[`」]?\s?(?:ブランチ|브랜치)(?:に対して|へ|に|로|으로|에)/iu,
  /(?:gegen|auf|in) den Branch [`„"]?([\w./-]{1,29}\w)/iu,
  /(?:gegen|auf|in) den [`„"]?([\w./]{1,29}\w)[`“"]?[- ]?Branch/iu,
  /(?:vers|sur|à|contre) la branche [`«" ]*([\w./-]{2,30})/iu,
  /(?:contra|hacia|a|para|na|à|sobre) (?:la |el |a |o )?(?:rama|branch|ramo) [`"]?([\w./-]{2,30})/iu,
  /(?:в|на) ветк[уи] [`«"]?([\w./-]{2,30})/iu,
];

const NON_ENGLISH_ONE_CHANGE =
  /(?:分成|拆分|拆成)[^。]{0,6}(?:多个|几个|不同|各个)[^。]{0,4}(?:PR|MR)|(?:一个|每个|单个|一個|每個)\s?(?:PR|MR|拉取请求|pull request)[^。]{0,12}(?:一个|一件|单一|一個|一项)|1つの(?:PR|プルリク\p{L}*)[^。]{0,12}1つ|하나의 (?:PR|풀 ?리퀘스트)[^.]{0,14}하나|(?:pro|je) (?:Pull[- ]?Request|PR)[^.]{0,20}(?:eine|ein)|(?:une seule|un seul)[^.]{0,30}par (?:PR|pull request)|(?:un solo|una sola|uma única|um único|una)[^.]{0,30}por (?:PR|pull request)|один (?:PR|пул+[- ]?реквест)[^.]{0,20}(?:одн\p{L}+)/iu;
const LOG =
  /(?:更新|添加|增加|填写|記載|追記|추가|업데이트|aktualisier\p{L}*|ergänz\p{L}*|mettre à jour|mis(?:e|es)? à jour|mettez à jour|ajoute\p{L}*|ajouté\p{L}{0,2}|actualiz\p{L}*|añad\p{L}*|atualiz\p{L}*|adicion\p{L}*|обнов\p{L}*|добав\p{L}*)[^。.]{0,40}(?:CHANGELOG|changelog|更新日志|变更日志|變更日誌|変更履歴|변경 ?로그|journal des (?:modifications|changements)|notes de version|журнал\p{L}{0,3} изменений|списо?к\p{L}{0,2} изменений|Änderungsprotokoll)|(?:CHANGELOG|changelog|journal des (?:modifications|changements))[^。.]{0,30}(?:mis(?:e|es)? à jour|à jour|complété\p{L}{0,2})|(?:CHANGELOG|更新日志|变更日志)[^。.]{0,20}(?:aktualisier\p{L}*|ergänz\p{L}*|更新|添加|追記|추가|обнов\p{L}*)/iu;

const NON_ENGLISH_ORDERS =
  /^\W*(?:actuali[zc]\p{L}*|añad\p{L}*|agreg\p{L}*|mettez|ajoutez|atualize|adicione|обновите|добавьте)(?!\p{L})/iu;
const STYLE =
  /[约約]定式提交|Angular (?:提交)?(?:规范|規範|規約)|(?:提交|コミット)[^。]{0,30}[`「“](?:feat|fix)(?:\([^)]{0,20}\))?[:：]/u;
const NON_ENGLISH_RESPONSIBILITY =
  /理解|[负負][责責]|解[释釋]|[审審][阅閱查]|レビュー|責任|entend\p{L}*|comprend\p{L}*|responsab\p{L}*|revis\p{L}*|versteh\p{L}*|verantwort\p{L}*|geprüft|relire|relu\p{L}*|понима\p{L}*|ответственн\p{L}*|이해|책임|검토/iu;
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [
    /英文|英[语語]|in Englisch|auf Englisch|en ingl[eé]s|en anglais|em inglês|in inglese|на английском|영어로/iu,
    'English',
  ],
  [/(?:使用|用|以)中文|中国語で|auf Chinesisch|en chino|на китайском/iu, 'Chinese'],
  [/日本語で/u, 'Japanese'],
  [/auf Deutsch/iu, 'German'],
  [/en français/iu, 'French'],
  [/en español/iu, 'Spanish'],
  [/em português/iu, 'Portuguese'],
  [/на русском/iu, 'Russian'],
  [/한국어로/u, 'Korean'],
];
const WRITES =
  /[编編][写寫]|[书書][写寫]|填[写寫]|撰[写寫]|描述|提交|[交溝沟]流|書い|記載|コミット|schreib\p{L}*|verfass\p{L}*|escrib\p{L}*|redact\p{L}*|écri\p{L}*|rédig\p{L}*|escrev\p{L}*|пишите|작성/iu;
const languageIn = (plain: string): FoundRule | null => {
  const value = WRITTEN.find(([pattern]) => pattern.test(plain))?.[1];
  return value !== undefined && WRITES.test(plain) ? { kind: 'language', value } : null;
};

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

/** Letters that English lacks, or frequent words of other languages. */
const FOREIGN =
  /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0400-\u04ff]|[äöüßéèêàçñãõáíóú]|\b(?:und|der|die|das|nicht|bitte|les|des|est|une|pour|los|las|el|con|tus?|para|por|não|uma|que|com)\b/iu;

export const nonEnglishRules: RuleReader = ({ plain, quote }) => {
  if (!FOREIGN.test(plain)) return [];
  const told = MODEL.test(plain) && TELLS.test(plain) && NON_ENGLISH_DUTY.test(plain) && !NO.test(plain);
  const linkless = ISSUE_WANTED.test(plain);
  const first =
    linkless ||
    (FIRST_IN_LIST.test(plain) && !OF_LARGE.test(plain) && !OF_REPORTS.test(plain)) ||
    (ISSUE.test(plain) &&
      (PULL.test(plain) || WORK.test(plain) || OPENED_FIRST.test(plain)) &&
      NON_ENGLISH_BEFORE.test(plain) &&
      !OF_LARGE.test(plain) &&
      !OF_REPORTS.test(plain));
  const base =
    PULL.test(plain) || /提交|贡献|貢獻|送って|기여|ブランチから|[从從][^。]{2,30}分支/u.test(plain)
      ? BASE.map((p) => p.exec(quote.replaceAll('**', ''))?.[1]).find((name) => name !== undefined)
      : undefined;
  return compactRules(
    told ? { kind: 'ai_disclosure' } : null,
    first ? { kind: 'issue_first', value: 'open' } : null,
    base === undefined ? null : { kind: 'base_branch', value: base },
    NON_ENGLISH_ONE_CHANGE.test(plain) ? { kind: 'size', value: 'one_change' } : null,
    LOG.test(plain) && (NON_ENGLISH_DUTY.test(plain) || NON_ENGLISH_ORDERS.test(plain))
      ? { kind: 'changelog', value: 'file' }
      : null,
    STYLE.test(plain) ? { kind: 'commit_style', value: 'conventional' } : null,
    MODEL.test(plain) &&
      NON_ENGLISH_RESPONSIBILITY.test(plain) &&
      NON_ENGLISH_DUTY.test(plain) &&
      !NO.test(plain)
      ? { kind: 'human_author' }
      : null,
    languageIn(plain),
  );
};
