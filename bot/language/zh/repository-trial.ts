import { zhComposed } from './sentences.ts';
import type { LanguageTexts } from '../en/en.ts';
import { zhStopped, zhToolMismatch } from './base.ts';

const FLAGS: readonly (readonly [RegExp, string])[] = [
  [
    /(\S[\w ]*) is not known to AgentPR: only what its workflows run is checked/,
    'AgentPR 不认识 $1：只检查其工作流所运行的',
  ],
  [/(\S[\w ]*) is not read \((.*)\)/, '不读取 $1（$2）'],
  [/^Git LFS: large files are not fetched$/, 'Git LFS：不获取大文件'],
  [/^submodules: they are not fetched$/, '子模块：不获取'],
  [/^very large: (\d+) files$/, '非常大：$1 个文件'],
  [/^no tests were found$/, '没有找到测试'],
  [/^no checks were found$/, '没有找到检查'],
  [/^no check runs tests$/, '没有检查会运行测试'],
];

export const zhRepositoryTrial: LanguageTexts['repositoryTrial'] = {
  ranNoTest: (command) => `${command} 没有运行任何测试`,
  notRun: (command) => `${command} 没有运行`,
  withheld: (command, why) => `${command} 没有在这里运行：${why}`,
  environmentGap: (gap) => zhComposed.evidence.environmentGap(gap),
  flaky: (command) => `${command} 不稳定：失败一次后又通过`,
  timedOut: (command) => `${command} 用时过长`,
  fails: (command, code) => `${command} 在本机失败（退出码 ${code}）`,
  andMore: (n) => `另有 ${n} 项`,
  askedFor: (version, source) => `（要求：${version}，${source}）`,
  signedOnly: (ref) => `${ref} 只接受已签名的提交，而 signing.sshKey 没有设置。参见 docs/github.md。`,
  noCheck: '没有找到检查。下达任务时请加 check="<命令>"。',
  notAName: (is) => `${is} 不是 owner/name 的形式。`,
  unusable: (repo, n) => `${repo} 在本机无法检查：有 ${n} 项缺失或失败。在那里的任务不会启动代理。`,
  flag: (english) => FLAGS.reduce((now, [pattern, as]) => now.replace(pattern, as), english),
  stopReason: zhStopped,
  toolMismatch: zhToolMismatch,
};
