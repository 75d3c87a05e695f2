import type { SealDifference, SealFields } from '../../../orchestrator/model/seal.ts';
import type { SentenceCatalogue } from '../../text/catalogue.ts';

const fields: Record<keyof SealFields, string> = {
  action: '操作',
  baseRepoId: '目标仓库',
  headRepoId: '分支所在的仓库',
  baseRef: '目标分支',
  mergeBase: '改动的起点提交',
  headSha: '头提交',
  tree: '文件',
  diff: '差异',
  diffFacts: '卡片上关于差异的内容',
  branch: '分支',
  author: '作者',
  signer: '签名的密钥',
  title: '标题',
  body: '描述',
  pullBody: '新的描述',
  pushes: '是否同时推送分支',
  draft: '草稿标记',
  maintainerCanModify: '维护者能否推送',
  conflicts: '是否与目标冲突',
  policyVersion: '策略',
  assessment: '评估',
  evidence: '检查的证据',
  rules: '仓库对贡献的要求',
};

export const zhChangedSinceApproval: SentenceCatalogue<SealDifference> = {
  field: ({ field, from, to }) => `${fields[field]}变了${from + to === '' ? '' : `：${from} → ${to}`}`,
  conflicts: () => '改动与目标分支冲突',
  rules: ({ added, gone }) =>
    [
      ...added.map(({ quote, file }) => `仓库现在多了要求：“${quote}”（${file}）`),
      ...gone.map(({ quote, file }) => `仓库不再要求：“${quote}”（${file}）`),
    ].join('；'),
  branch_head: ({ from, to }) => `代码托管平台上的分支变了：${from} → ${to ?? '没有了'}`,
  kept: () => '账本里保存的不是批准过的内容',
};
