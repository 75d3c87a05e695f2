/** Chinese: why a policy, the risk or a grade judges as it does. Paths, quotes and names of checks stay as they are. */
import { same, type Rule } from './zh-rule.ts';

const WHERE: Readonly<Record<string, string>> = {
  'the commit message': '提交说明',
  'the branch name': '分支名',
  'the title': '标题',
  'the description': '描述',
  'the comment': '评论',
  'the reply': '回复',
  'a file name': '文件名',
};
const where = (text = ''): string => WHERE[text] ?? text;
const ANYWHERE = `(${Object.keys(WHERE).join('|')})`;
const of = (rest: string): RegExp => new RegExp(`^${ANYWHERE} ${rest}`);

const FINDINGS: Readonly<Record<string, string>> = {
  secret: '疑似密钥',
  'lent key': '借给代理的密钥',
  'likely secret': '可能是密钥',
  'hidden line': '因隐藏密钥而没有原样显示的行',
  'bidi text': '在屏幕上顺序被篡改的文字',
  'hidden text': '看不见的字符',
  'mixed script': '一个词里混有多种文字',
  'long line': '过长而无法阅读的行',
  'line endings only': '只改了行尾',
  'blanks only': '只改了空白',
  'unseen change': '前后看起来一样的行',
  'test removed': '测试被删除',
  'test skipped': '测试被跳过',
  'test weakened': '测试被削弱',
  'outside write': '写到了外面',
  'nested repository': '仓库里嵌套着仓库',
  'special file': '特殊文件',
  'hard link': '硬链接',
  'bad name': '不可用的文件名',
  'too large': '过大而略去',
  'not read': '没有读过',
  'symlink escape': '指向仓库之外的链接',
  'lfs pointer': '大文件指针',
  'lfs raw': '本应存入 LFS 的内容',
  'skipped ignored': '因忽略规则而略过',
};

const policies: Rule[] = [
  [/^a key or sign-in that was lent to the agent is in /, () => '借给代理的密钥或登录信息出现在 '],
  [
    of('has a key or sign-in that was lent to the agent'),
    (_, text) => `${where(text)}中含有借给代理的密钥或登录信息`,
  ],
  [/^what looks like a secret is in /, () => '疑似密钥，位于 '],
  [/^what may be a secret is in /, () => '可能是密钥，位于 '],
  [/^these files hold keys or passwords by their names: /, () => '从文件名看，这些文件存放密钥或密码：'],
  [
    /^these files may hold keys or passwords by their names: /,
    () => '从文件名看，这些文件可能存放密钥或密码：',
  ],
  [
    /^(\d+) lines? (?:is|are) not shown as they are, because a secret is hidden: /,
    (_, n = '') => `有 ${n} 行因隐藏密钥而没有原样显示：`,
  ],
  [of('has what looks like a secret with its name'), (_, text) => `${where(text)}中疑似有带名称的密钥`],
  [of('has what looks like (.+)'), (_, text, what = '') => `${where(text)}中疑似含有 ${what}`],
  [/^something was written outside: /, () => '有内容写到了外面：'],
  [/^a path leaves the workspace: /, () => '有路径离开了工作区：'],
  [/^a link points out of the repository: /, () => '有链接指向仓库之外：'],
  [/^a submodule pointer would be published: /, () => '会发布子模块指针：'],
  [/^a submodule is removed: /, () => '删除了子模块：'],
  [/^nobody can read a binary file: /, () => '二进制文件无人能审阅：'],
  [
    /^the repository keeps it in LFS, and here its own bytes would be published: /,
    () => '仓库把它存放在 LFS，这里却会直接发布其内容：',
  ],
  [
    /^nobody has read it, because it is too large to be looked through: /,
    () => '它大得无法通读，没有人读过：',
  ],
  [/^a name ends in a blank or a dot: /, () => '名字以空白或点结尾：'],
  [/^only blanks or the ends of lines change: /, () => '只改了空白或行尾：'],
  [/^it points to a large file that is not pushed: /, () => '它指向没有推送的大文件：'],
  same('the command is reordered on screen', '命令在屏幕上的顺序被篡改'),
  same('the command hides characters', '命令里藏有字符'),
  [
    of('is reordered on screen by bidirectional controls'),
    (_, text) => `${where(text)}在屏幕上的顺序被双向控制符篡改`,
  ],
  [of('has characters that are not seen'), (_, text) => `${where(text)}里有看不见的字符`],
  [/^text is reordered on screen by bidirectional controls: /, () => '文字在屏幕上的顺序被双向控制符篡改：'],
  [/^characters that are not seen: /, () => '有看不见的字符：'],
  [/^letters of several scripts in one word: /, () => '一个词里混有多种文字的字母：'],
  [/^a line too long to be read: /, () => '有一行长得无法阅读：'],
  [/^the agent left files that cannot be published as they are: /, () => '代理留下了不能原样发布的文件：'],
  [
    /^nobody could read the change in the chat: it takes (\d+) bytes, a file holds (\d+)/,
    (_, has = '', holds = '') => `改动无法在聊天中完整阅读：共 ${has} 字节，一个文件最多 ${holds} 字节`,
  ],
  [/^checks fail: /, () => '检查未通过：'],
  same('the checks did not pass', '检查没有通过'),
  same('no check of this repository could be run', '这个仓库没有任何检查能够运行'),
  [/^some checks could not be run: /, () => '有些检查无法运行：'],
  same('high risk always needs a signature', '高风险必须有人签字'),
  same(
    'others read this pull request already, and the risk is above low',
    '别人已经在看这个拉取请求，而风险不低',
  ),
  same('a small change to plain files, with our checks green', '对普通文件的小改动，我们的检查全部通过'),
  [/^it changes what CI runs: /, () => '它改变了 CI 运行的内容：'],
  [/^it changes what steers coding agents: /, () => '它改变了引导编程代理的内容：'],
  [/^it changes where packages, hooks or submodules come from: /, () => '它改变了包、钩子或子模块的来源：'],
  [/^these paths may not be changed: /, () => '这些路径不许改动：'],
  [/^these paths need a signature: /, () => '这些路径需要签字：'],
  [/^a lockfile changes without its manifest: /, () => '锁文件变了，而它的清单没变：'],
  [/^tests go away: /, () => '测试不见了：'],
  [/^tests are skipped or check less: /, () => '测试被跳过或检查得更少：'],
  [/^tests lose lines, so the checks may say less: /, () => '测试少了几行，检查的说服力可能下降：'],
  [/^(\S+) is not a branch for changes like this/, (_, branch = '') => `${branch} 不是放这种改动的分支`],
  same('how many pull requests of ours are open there is not known', '不知道我们在那里开着多少拉取请求'),
  [
    /^(\d+) pull requests of ours are open there; the limit is (\d+)/,
    (_, n = '', most = '') => `我们在那里已开着 ${n} 个拉取请求；上限是 ${most}`,
  ],
  [of('calls somebody: '), (_, text) => `${where(text)}会呼叫某人：`],
  [of('would close an issue: '), (_, text) => `${where(text)}会关闭议题：`],
  [of('would skip CI: '), (_, text) => `${where(text)}会跳过 CI：`],
  [of('gives a bot a command: '), (_, text) => `${where(text)}会给机器人下命令：`],
  [of('has a trailer that speaks for somebody: '), (_, text) => `${where(text)}带有代替他人说话的尾注：`],
  same('the comment is empty', '评论是空的'),
  [/^(\d+) characters are more than the code host takes/, (_, n = '') => `${n} 个字符超过了代码托管方的上限`],
  [
    /^(\d+) characters are a lot to read; the limit is (\d+)/,
    (_, n = '', most = '') => `${n} 个字符读起来太多；上限是 ${most}`,
  ],
  same(
    'people there read it under our name, so a person signs each comment',
    '那里的人会以我们的名义看到它，所以每条评论都要有人签字',
  ),
  [/^the repository does not want such (?:changes|contributions): /, () => '这个仓库不接受这样的贡献：'],
  [/^the description does not say that an agent made it: /, () => '描述没有说明改动出自代理：'],
  [/^the description says that an agent made it: /, () => '描述说明了改动出自代理：'],
  [/^a sign-off is asked for, which only a person can give: /, () => '要求签署（sign-off），只有人能给：'],
  [/^an agreement is asked for, which only a person can sign: /, () => '要求签署协议，只有人能签：'],
  [/^a rule needs a person's reading: /, () => '有一条规则需要人来读：'],
  [/^it does not say that an agent wrote it: /, () => '它没有说明出自代理：'],
  same('the rules of the repository are not known', '不知道这个仓库的规则'),
  [
    /^the branch (\S+) does not keep the rule (.+)/,
    (_, branch = '', rule = '') => `分支 ${branch} 不符合规则 ${rule}`,
  ],
  [/^the title is not a conventional commit: /, () => '标题不符合 Conventional Commits：'],
  [/^the description leaves out of the template: /, () => '描述缺了模板中的：'],
];

const LEVELS: Readonly<Record<string, string>> = { low: '低', medium: '中', high: '高' };

const risks: Rule[] = [
  [
    new RegExp(`^(${Object.keys(FINDINGS).join('|')}) in (?=\\S)`),
    (_, kind = '') => `${FINDINGS[kind] ?? kind}，位于 `,
  ],
  same('no policy allows this by itself, so a person decides', '没有策略自行放行，所以由人决定'),
  [
    /^(low|medium|high) risk: (.+)$/s,
    (_, level = '', reason = '') => `${LEVELS[level] ?? level}风险：${judged(reason)}`,
  ],
  [/^changes what CI runs: /, () => '改变了 CI 运行的内容：'],
  [/^changes what steers coding agents: /, () => '改变了引导编程代理的内容：'],
  [/^changes where packages, hooks or submodules come from: /, () => '改变了包、钩子或子模块的来源：'],
  [/^has a name that cannot be read: /, () => '名字无法阅读：'],
  [/^has invisible characters in the name: /, () => '名字里有看不见的字符：'],
  [/^may hold keys or passwords: /, () => '可能存放密钥或密码：'],
  [/^has a name that ends in a blank or a dot: /, () => '名字以空白或点结尾：'],
  [/^is no longer executable: /, () => '不再可执行：'],
  [/^has a name that leaves the workspace: /, () => '名字离开了工作区：'],
  [/^may run code on install or build: /, () => '可能在安装或构建时运行代码：'],
  [/^changes dependencies: /, () => '改变了依赖：'],
  [/^changes how git and reviewers see files: /, () => '改变了 git 和审阅者看到文件的方式：'],
  [/^looks generated: /, () => '看起来是生成的：'],
  [/^is a submodule pointer: /, () => '是子模块指针：'],
  [/^is a symbolic link: /, () => '是符号链接：'],
  [/^is binary: /, () => '是二进制文件：'],
  [/^becomes executable: /, () => '变成可执行：'],
  [/^changes its type: /, () => '改变了类型：'],
  [/^removes a test: /, () => '删除了测试：'],
  [/^is deleted: /, () => '被删除：'],
  [/^is renamed: /, () => '被改名：'],
  [/^has a mode that is not known: /, () => '文件模式未知：'],
  [
    /^(\d+) files, (\d+) lines, (\d+) bytes: (more than the limit|not a small change)/,
    (_, files = '', lines = '', bytes = '', what = '') =>
      `${files} 个文件，${lines} 行，${bytes} 字节：${what === 'more than the limit' ? '超过上限' : '不算小改动'}`,
  ],
  same('it is not known which files change', '不知道哪些文件有变化'),
  same('it is not known how the agent was contained', '不知道代理是怎样被隔离的'),
  same('the agent ran without a sandbox, only in a process group', '代理没有沙箱，只在一个进程组里运行'),
  same('checks fail', '检查未通过'),
  same('nothing was checked', '什么都没有检查'),
  [of('would act on others: '), (_, text) => `${where(text)}会影响到别人：`],
  [/^(\d+) characters in one comment/, (_, n = '') => `一条评论有 ${n} 个字符`],
];

const OUTCOMES: Readonly<Record<string, string>> = {
  passed: '通过了',
  failed: '失败了',
  'timed out': '超时了',
  'not run': '没有运行',
};

const grades: Rule[] = [
  [/^only the agent found which tests to run /, () => '跑哪些测试只由代理找出 '],
  [/^no tests were run; judged by /, () => '没有运行测试；依据 '],
  [/^judged by nothing$/, () => '没有依据'],
  [/^judged by /, () => '依据 '],
  [/^tests are skipped: /, () => '测试被跳过：'],
  [/^tests check less: /, () => '测试检查得更少：'],
  [/^tests lose lines: /, () => '测试少了几行：'],
  [/^the change touches what the checks run: /, () => '改动碰到了检查所运行的内容：'],
  [
    /^(.+) passes only with the changed (.+)/,
    (_, names = '', files = '') => `${names} 只有用改动后的 ${files} 才通过`,
  ],
  [/^not run with the base’s version of (.+?): /, (_, files = '') => `没有用基准版本的 ${files} 运行：`],
  [/^(?:it )?changes what judges it: /, () => '它改变了评判它的文件：'],
  [/^checks pass only with what it changes: /, () => '检查只有用它改动过的文件才通过：'],
  [/^the agent says that it ran (.+); we did not$/, (_, what = '') => `代理说它运行了 ${what}；我们没有运行`],
  [
    /^the agent says that (.+) (passes|fails); here it (.+)$/,
    (_, what = '', claim = '', here = '') =>
      `代理说 ${what} ${claim === 'passes' ? '通过' : '失败'}；在这里${OUTCOMES[here] ?? here}`,
  ],
  same(
    'the agent says that it added a test; no test file gains a line',
    '代理说它加了测试；没有测试文件增加内容',
  ),
  same('the agent says that the checks pass; here they do not', '代理说检查通过；在这里没有通过'),
  same('nothing was changed', '什么都没有改'),
  [/^the agent says that it is not done: no reason given$/, () => '代理说还没做完，没有说明原因'],
  [/^the agent says that it is not done: /, () => '代理说还没做完：'],
  [
    /^(.+?) failed(?: \(exit (\d+)\))?$/,
    (_, name = '', exit) => `${name} 失败${exit ? `（退出码 ${exit}）` : ''}`,
  ],
  [
    /^(.+?) timed out(?: \(exit (\d+)\))?$/,
    (_, name = '', exit) => `${name} 超时${exit ? `（退出码 ${exit}）` : ''}`,
  ],
  [/^(.+?) could not be run$/, (_, name = '') => `${name} 无法运行`],
];

const RULES: readonly Rule[] = [...policies, ...risks, ...grades];

const MORE = / and (\d+) more(?=$|\))/;

/** One reason; what no rule knows (a policy of the operator's, say) stays as it was written. */
export const judged = (reason: string): string => {
  for (const [says, inChinese] of RULES) {
    const found = says.exec(reason);
    if (!found) continue;
    const rest = reason.slice(found[0].length);
    return (inChinese(...found) + rest)
      .replace(MORE, (_, n: string) => ` 等，另有 ${n} 个`)
      .replace(/; no comment of ours may$/, '；我们的评论不可以这样');
  }
  return reason;
};
