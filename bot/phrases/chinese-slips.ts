/**
 * C4: Chinese command words with one wrong character of the same sound or shape. Repaired only where
 * the word stands alone (`继读 k3x9ab`); inside a sentence such a pair may belong to two words.
 */

/** Characters that are typed in place of the first one. */
const TYPED_FOR: readonly string[] = [
  '继及记纪计既即机几己季寄续',
  '续读绪序叙需徐许旭渎',
  '取去娶区曲趣',
  '消削肖销宵逍小笑效硝',
  '暂赞咱站战占展斩渐',
  '停听亭挺庭仃定',
  '重从虫种崇冲',
  '试式是事视势式拭',
  '跑泡炮抛',
  '恢回会灰辉挥汇',
  '复付副富负服付覆腹',
  '批皮披匹劈屁',
  '准谁淮隼佳',
  '拒巨据具聚距句',
  '绝决觉掘诀',
  '驳博勃薄搏',
  '回会灰汇恢',
  '跳挑条眺调',
  '过国锅果郭',
  '合和河何盒核',
  '并井病柄拼开饼',
  '更耕梗庚哽',
  '新薪心欣辛芯',
  '终中钟忠',
  '中终钟',
  '止只指址纸至',
  '状壮撞装',
  '态太泰肽',
  '日曰目口',
  '志智制致至治',
  '帮邦棒绑梆',
  '助住注祝组',
  '设社射摄',
  '置制志至直治',
  '预与遇玉域余',
  '算祘蒜',
  '报抱保爆',
  '告吿高搞',
  '计记季际',
  '划话化画',
  '同童铜',
  '意义异易',
];
const WORDS = [
  ...['继续', '取消', '暂停', '重试', '重跑', '恢复', '批准', '拒绝', '驳回', '跳过', '合并', '更新'],
  ...['终止', '中止', '状态', '日志', '帮助', '设置', '预算', '报告', '计划', '同意'],
];
const REAL = new Set(
  [
    ...[
      '取小',
      '会复',
      '回复',
      '事试',
      '更心',
      '社置',
      '计算',
      '与算',
      '和并',
      '同义',
      '同异',
      '中指',
      '中至',
    ],
    ...['从跑', '去消', '准许', '重制', '报高', '合开', '设直', '计化', '计画'],
  ].filter((word) => !WORDS.includes(word)),
);

const MEANT = new Map<string, string>();
for (const word of WORDS)
  [...word].forEach((right, at) => {
    const others = TYPED_FOR.find(([first]) => first === right) ?? '';
    for (const wrong of [...others].slice(1)) {
      const typed = [...word].map((c, i) => (i === at ? wrong : c)).join('');
      if (!REAL.has(typed) && !WORDS.includes(typed)) MEANT.set(typed, word);
    }
  });

const SLIP = new RegExp(
  `(?<=^|[^\\p{Script=Han}]|[请把给先快你我再就想要来打开看吧别的烦忙])(?:${[...MEANT.keys()].join('|')})(?=$|[^\\p{Script=Han}]|[吧了一下掉它这那个任所全啊呀呢哦的])`,
  'gu',
);

export const repairSlips = (said: string): string => said.replace(SLIP, (typed) => MEANT.get(typed) ?? typed);
