import type { MAX_ARGUMENT_LENGTHS, CommandProblem } from '../../../orchestrator/model/command-problems.ts';
import { shellName } from '../../../orchestrator/model/fill-variables.ts';
import type { SignOffProblem } from '../../../orchestrator/model/trailers.ts';
import { zhValidationIssue } from './validation-issues.ts';
import { groupDigits, type SentenceCatalogue } from '../../text/catalogue.ts';

const long: Record<keyof typeof MAX_ARGUMENT_LENGTHS, string> = {
  reason: '原因',
  advice: '要告诉代理的话',
  title: '标题',
  description: '说明',
  goal: '目标',
  instruction: '要做的事',
};

const signOff: Record<SignOffProblem, string> = {
  form: '',
  name: '名字只有标点，或含有 @ 或看不见的字符。',
  address: '< 和 > 之间不是邮箱地址。',
};

export const zhProblems: SentenceCatalogue<CommandProblem> = {
  flag: ({ flag }) => `${flag} 不是这个命令的选项。`,
  state: ({ text }) => `${text} 不是一个状态。`,
  repo: ({ text }) => `${text} 不是我能处理的仓库；请写成 owner/name，或粘贴它的链接。`,
  pull: ({ text }) => `${text} 不是拉取请求的链接。`,
  pulls: ({ most }) => `一个批次最多跟踪 ${most} 个拉取请求。`,
  branch: ({ text }) => `${text} 不是 git 接受的分支名。`,
  language: ({ text }) => `我不会说 ${text}。`,
  user: ({ text }) => `${text} 不是用户的 id；/settings 会显示你自己的。`,
  amount: ({ text }) => `${text} 不是数量；请写一个数，或用 +数 表示再加多少。`,
  no_list: () =>
    '请写出仓库：owner/name，每行一个，或用空格隔开；也可以查找：org:acme、team:acme/web、repos:"topic:cli user:ana"、code:"filename:.nvmrc org:acme"。',
  queries: ({ most }) => `查找超过 ${most} 条；请分成几个批次。`,
  query: ({ text }) =>
    `${text} 不能用来查找仓库；可以写 org:<名称>、team:<组织>/<团队>、repos:<搜索> 或 code:<搜索>。`,
  query_quote: ({ text }) => `这条查找里的引号没有闭合：${text}`,
  list_long: ({ most }) => `仓库超过 ${groupDigits(most)} 个；请分成几个批次。`,
  line: ({ line, text }) => `第 ${line} 行没有写出仓库：${text}`,
  line_more: ({ line, text }) =>
    `第 ${line} 行除了仓库还有别的内容：${text}。表格的第一行要写列名：repo,team`,
  file_long: ({ most }) => `文件超过 ${groupDigits(most)} 字节。`,
  file_yaml: ({ line, says }) => `文件第 ${line} 行不是有效的 YAML：“${says}”。`,
  file_documents: ({ line }) =>
    `文件从第 ${line} 行起是第二个文档；一个文件只能写一个批次。请删掉 --- 这一行，或把后面的内容另存为一个文件。`,
  file_twice: ({ line }) => `文件第 ${line} 行的键前面已经写过；请删掉其中一个。`,
  file_deep: ({ line }) => `文件第 ${line} 行嵌套太深；批次文件只需要几层。`,
  file_alias: ({ line }) => `文件第 ${line} 行引用了文件的另一处；请直接写出值。`,
  file_key: ({ line, key, near }) =>
    `文件第 ${line} 行：没有 ${key} 这一项。${near === null ? '' : `是否指 ${near}？`}`,
  file_value: ({ line, misfit: it }) =>
    it.path.length === 0
      ? zhValidationIssue(it, '文件')
      : `文件第 ${line} 行：${zhValidationIssue(it, '文件')}`,
  file_repo: ({ at, text }) => `第 ${at} 个仓库写得不对：${text}`,
  file_fixes: () =>
    '每个修复都要有标题，并且要么都写目标，要么都写脚本。有 fixes 时，旁边不能再写脚本，只能用一个引擎，也不能用 flow: plan。',
  file_after_self: ({ line, repo }) => `文件第 ${line} 行：${repo} 不能排在自己之后。请去掉它。`,
  file_after_unknown: ({ line, repo }) =>
    `文件第 ${line} 行：${repo} 不在 repositories 里。请在那里列出，或从 after 中去掉。`,
  file_after_twice: ({ line, repo }) => `文件第 ${line} 行：${repo} 写了两次。请去掉一个。`,
  file_circle: ({ line, way }) =>
    `文件第 ${line} 行：这些仓库互相等待，谁也开始不了：${way}。请去掉其中一个 after。`,
  file_scripts: () => '只要有一个仓库有自己的 script，就每个都要有，或由文件给出其余仓库的 script。',
  file_repos: () => '文件里既没有 repositories 也没有 query。',
  file_goal: () => '文件里既没有 goal，也没有 script。',
  file_engine: () => '有 script 就不需要 engine；请去掉其中一个。',
  file_script: () =>
    '脚本要在主机上给出：请在那里用这个文件运行 agentpr campaign plan。这里写 engine: script 会运行主机自己的脚本。',
  file_text: () => '这个文件不是纯文本。',
  file_hard: () => '读取这个文件太费时间；请把它缩短或简化。',
  file_gone: () => '无法从聊天中取得文件。请重新发送；最多 1 MB。',
  picture_large: ({ most }) => `这张图片太大：最多 ${most / 1_000_000} MB。请作为照片发送，不要作为文件。`,
  picture_gone: ({ most }) => `无法从聊天中取得图片，或者它超过 ${most / 1_000_000} MB。请重新发送。`,
  picture_form: () => '这不是我能转交的图片：必须是一张完整的 JPEG、PNG 或 WebP。请发送截图或照片。',
  picture_points: () => '这张图片的像素太多：最多 2,500 万，每边最多 8,000。请作为照片发送，不要作为文件。',
  file_words: () => '批次文件里什么都写了；请只带 /batch 发送。',
  variable: ({ name, repo }) =>
    `${repo} 没有给出 {{${name}}}。如果它不是变量、要原样保留，请写成 {{{{${name}}}}}。`,
  variable_taken: ({ name, repo }) =>
    `{{${name}}} 是仓库自身名称的一部分，而 ${repo} 给了它另一个值。请给变量换个名字。`,
  misplaced: ({ name, repo }) =>
    `${repo} 的 {{${name}}} 含有在该位置无法安全加引号的字符：在注释里，在反斜杠、命令替换或 here-document 之后，或在由另一个 shell 执行的文本里。请把 export ${shellName(name)}={{${name}}} 写在第一行，那里改用 "$${shellName(name)}"；由另一个 shell 执行时放在单引号内。`,
  no_variable: ({ text }) =>
    `${text} 会原样公开：它不是变量。变量名由字母、数字、- 和 _ 组成。要原样保留，请写成 {{{{ … }}}}。`,
  variable_long: ({ name, repo, most }) =>
    `${repo} 的 {{${name}}} 超过了 ${groupDigits(most)} 个字符；请在列表里写短一些。`,
  column: ({ name }) => `无法填入 {{${name}}}：请改列名，以字母开头，只用字母、数字、- 和 _。`,
  no_goal: () => '请说明要改什么。',
  no_instruction: () => '请说明要修什么。',
  sign_off: ({ wrong }) => `${signOff[wrong]}请这样写自己的名字和地址：姓名 <邮箱>。`,
  value: ({ option }) => `${option}= 需要一个值。`,
  twice: ({ option }) => `${option}= 给了两次。`,
  quote: ({ option }) => (option === 'goal' ? '目标前面的引号没有闭合。' : `${option}= 后面的引号没有闭合。`),
  option: ({ option, near, all }) =>
    `没有选项 ${option}=。${near === null ? `现有：${all}。` : `是想写 ${near}= 吗？`}如果它属于目标，请把整个目标放进“引号”里。`,
  setting: ({ text, near, all }) =>
    `没有设置 ${text}。${near === null ? `现有：${all}。` : `是想写 ${near} 吗？`}`,
  choice: ({ setting, text, all }) => `${setting} 不能是 ${text}；可以是：${all}。`,
  bounds: ({ setting, text, least, most, off }) =>
    `${setting} 不能是 ${text}；请写 ${groupDigits(least)} 到 ${groupDigits(most)} 之间的数${off ? '，或 off' : ''}。`,
  flow: ({ text, all }) => `${text} 不是工作方式；现有：${all}。`,
  discovery: ({ text, all }) => `${text} 不能读取仓库；现有：${all}。`,
  install: ({ text, all }) => `install= 不能是 ${text}；可以是：${all}。`,
  engine: ({ text, all }) => `${text} 不是引擎；现有：${all}。`,
  no_engine: () =>
    '还没有选择引擎，没有谁能做这项工作。在主机上运行 agentpr init 可以找到已安装的代理，或在 .env 里用 AGENTPR_ENGINE 指定一个；也可以在命令里指定：engine=codex。',
  engines: () =>
    '多个提议者：最多三个不同的，用逗号分隔，例如 codex,claude 或 builtin:<模型>,builtin:<模型>。多个引擎不能与 flow=plan 同用。',
  proposers: ({ text, all }) =>
    `${text} 的冒号后面不能写模型；可以这样写的有：${all}。不写冒号时，几个引擎轮流尝试同一个目标。`,
  reported: ({ text, all }) => `报告中没有“${text}”；可用：${all}。`,
  prompt_version: ({ text, all }) => `没有提示词版本 ${text}；现有：${all}。`,
  role: ({ text, all }) => `${text} 不是角色；现有：${all}。`,
  budget: ({ text, all }) => `${text} 不是预算；现有：${all}。`,
  long: ({ what, most }) => `${long[what]}超过了 ${groupDigits(most)} 个字符。`,
};
