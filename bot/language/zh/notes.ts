import { zhComposed } from './sentences.ts';
import type { ChatNote } from '../../../orchestrator/model/chat-notes.ts';
import type { PullChange } from '../../../orchestrator/model/pull-metadata.ts';
import { cutText } from '../../../orchestrator/model/text-format.ts';
import { zhObjections } from './feedback.ts';
import { joinParts, type SentenceCatalogue } from '../../text/catalogue.ts';

const unchanged = (why: string): string => `文字没有改动：${why}`;

const away = (ms: number): string => {
  const s = Math.max(1, Math.round(ms / 1_000));
  if (s < 120) return `${s} 秒`;
  return s < 7_200 ? `${Math.round(s / 60)} 分钟` : `${Math.round(s / 3_600)} 小时`;
};

const ROLLED_BACK = {
  older:
    '⚠️ 账本被换回了较早的状态：之后的决定都不知道了。请检查打开的拉取请求；然后由管理员在主机上运行 `agentpr audit accept`。',
  missing:
    '⚠️ 已无法判断账本是否被换回较早的状态：keys/ledger.anchor 不见了。如果是你做的，请在主机上运行 `agentpr audit accept`。',
};

const listed = ({ added, gone }: { added: string[]; gone: string[] }): string =>
  [...added.map((one) => `+${cutText(one, 40)}`), ...gone.map((one) => `−${cutText(one, 40)}`)]
    .slice(0, 10)
    .join('、');
const changed = (c: PullChange): string => {
  switch (c.what) {
    case 'title':
      return `标题现在是“${cutText(c.to, 120)}”`;
    case 'base':
      return `目标分支现在是 ${cutText(c.to, 60)}`;
    case 'body':
      return '描述被修改了';
    case 'draft':
      return c.on ? '现在是草稿' : '现在可以评审了';
    case 'locked':
      return c.on ? '讨论已被锁定' : '讨论已重新开放';
    case 'queued':
      return c.on ? '进入了合并队列' : '离开了合并队列';
    case 'auto_merge':
      return c.by === null ? '自动合并已关闭' : `${c.by} 开启了自动合并`;
    case 'repo':
      return `所在仓库现在是 ${cutText(c.to, 140)}`;
    case 'archived':
      return c.on ? '所在仓库已归档，在维护者取消归档之前，谁也不能推送或合并' : '所在仓库已取消归档';
    case 'private':
      return c.on ? '所在仓库现在是私有的' : '所在仓库现在是公开的';
    case 'head_gone':
      return c.on ? '它所来自的 fork 已不存在，谁都无法再向它推送' : '它所来自的 fork 又存在了';
    case 'guarded':
      return c.on ? '目标分支现在受保护' : '目标分支不再受保护';
    case 'required':
      return `合并前必须通过的项目：${listed(c)}`;
    case 'labels':
      return `标签 ${listed(c)}`;
    case 'reviewers':
      return `请 ${c.added
        .slice(0, 10)
        .map((one) => cutText(one, 40))
        .join('、')} 评审`;
  }
};

const unread = (why: string, refused: string): string => joinParts(why, refused !== '' && `（${refused}）`);

export const zhNotes: SentenceCatalogue<ChatNote> = {
  edited_text_failed: (n) => unchanged(zhComposed.why.failures[n.class]),
  edited_text_late: ({ by }) => unchanged(`在审查之前 ${by} 已经批准了卡片。`),
  edited_text_rejected: ({ why }) => unchanged(`${zhComposed.notModified(why)}。`),
  pull_changed: ({ pull, changes }) => `${pull} 在代码托管平台被修改：${changes.map(changed).join('；')}。`,
  edited_text_unjudged: () => unchanged('不清楚会发布什么。'),
  agent_asked: ({ question }) =>
    `❓ 代理有一个问题（工作照常继续）：\n\n${question}\n\n请回复这条消息来回答。`,
  pull_description: ({ how, pull }) =>
    how === 'kept'
      ? `修复已推送。有人改过 ${pull} 的描述，因此保持原样。`
      : `修复已推送。${pull} 的描述没能更新；请在代码托管平台修改。`,
  pull_hidden: ({ pull, url, hidden }) =>
    hidden
      ? `只有我们自己能看到 ${pull}（${url}）：没有以我们的账户登录的人，GitHub 都回答“找不到”，被它标记的账户就是这样。不再向陌生人发送任何东西。请联系它的支持人员（support.github.com）检查账户；${pull} 能被看到之后，等待的会继续。`
      : `所有人又能看到 ${pull} 了：${url}`,
  replies_denied: (n) => `回复没有发布。${zhObjections(n.objections)}`,
  head_unread: (n) => unread(zhComposed.why.failures[n.class], zhComposed.refused({ ...n, says: n.message })),
  pull_too_late: ({ pull, url, ended }) =>
    `拉取请求 ${pull} 在任务${ended ? '结束' : '停下'}之前刚刚创建：${url}`,
  restarted: ({ awayMs, handled, freed, rollback, runs, more }) =>
    [
      ...(rollback === null ? [] : [ROLLED_BACK[rollback]]),
      `我重新启动了${awayMs === null ? '' : `，离开了 ${away(awayMs)}`}。你发的消息都没有丢${handled > 0 ? `（现在处理了 ${handled} 条）` : ''}${freed > 0 ? `；${freed} 个中断的步骤重新开始` : ''}。`,
      ...runs.map(({ repo, id, state }) => `${repo} · ${id}：${zhComposed.states[state]}`),
      ...(more > 0 ? [`… 还有 ${more} 个`] : []),
    ].join('\n'),
  campaign_empty: ({ of, leftOut }) =>
    [
      of === 0 ? '没有建立批次：没有找到仓库。' : `没有建立批次：${of} 个仓库都不参加。`,
      ...leftOut.map(
        ({ repo, why, by }) =>
          `${cutText(repo, 80)}：${zhComposed.campaign.leftOut[why]}${by === null ? '' : `（${by}）`}`,
      ),
    ].join('\n'),
  campaign_query: ({ query, why, says, waitMs }) => {
    const what = cutText(query, 120);
    switch (why) {
      case 'missing':
        return `没有建立批次：${what} 不存在，或我们看不到。`;
      case 'refused':
        return `没有建立批次：代码托管平台不接受 ${what}：${says}`;
      case 'limited':
        return `没有建立批次：代码托管平台暂时不接受更多搜索。请${waitMs === null ? '稍后' : `过 ${away(waitMs)}`}再发一次。`;
      case 'away':
        return `没有建立批次：现在无法查找 ${what}：${says} 请稍后再发一次。`;
    }
  },
  campaign_approver: ({ who }) =>
    `没有建立批次：它指定的审批人 ${cutText(who, 60)} 在这里没有审批权限。/users 会显示谁有。`,
  campaign_approvers: ({ left, needed }) =>
    `没有建立批次：需要 ${needed} 个批准，而它指定的审批人中只有 ${left} 位能批准。`,
  approver_left: ({ campaign, who, left }) =>
    `${cutText(who, 60)} 不再有审批权限。批次 ${campaign} 由它指定的其余 ${left} 位审批人继续。`,
  link_failed: ({ campaign, repo, why, stopped }) =>
    `批次 ${campaign}：${
      why === 'tag'
        ? `${repo} 的发布名称含有不能写进命令的字符，它的版本无法使用`
        : `${repo} 没有合并就结束了`
    }。因此不再开始：${stopped.slice(0, 6).join('、')}${stopped.length > 6 ? ` ${zhComposed.campaign.more(stopped.length - 6)}` : ''}。/campaign ${campaign} 显示整体进展。`,
  pulls_adopted: ({ campaign: id, taken, scheduled, out }) =>
    [
      taken === null
        ? scheduled
          ? `批次 ${id} 是定时批次，本身不跟踪拉取请求。请指定由它产生的某个批次。`
          : `批次 ${id} 不再接收拉取请求：它已结束，或不存在。`
        : taken === 0
          ? `批次 ${id} 没有接收任何拉取请求：`
          : `批次 ${id} 新跟踪 ${taken} 个拉取请求。它的卡片会计入结果；我不在那里写任何东西。`,
      ...out
        .slice(0, 20)
        .map(({ pull, why }) => `${cutText(pull, 80)}：${zhComposed.campaign.notAdopted[why]}`),
      ...(out.length > 20 ? [zhComposed.campaign.more(out.length - 20)] : []),
    ].join('\n'),
  campaign_pilot: ({ first, most, script }) =>
    joinParts(
      `没有建立批次：第一步会涉及 ${first} 个仓库，而先行的最多 ${most} 个。请调低 pace.canary；先行的仓库达到要求后，其余的会跟上。`,
      script ? '脚本可以例外：在主机的配置里设置 campaigns.scriptsMaySkipPilot。' : '',
    ),
  arrival_open: ({ campaign }) => `已有它的预览：${campaign}。`,
  arrivals_full: ({ origin, most }) =>
    `一天之内已从${cutText(zhComposed.campaign.source(origin), 90)}收到 ${most} 份预览，${origin.kind === 'issue' ? '其余的过一天再来' : '今天再来的不再显示'}。`,
  effect_stuck: ({ step, says, state }) =>
    joinParts(
      step === 'poll' ? `我看不到代码托管平台：${says}。` : `有一步（${step}）失败了，已放弃：${says}。`,
      `任务停在${state === null ? '原处' : `：${zhComposed.states[state]}`}。主机上的日志有更多说明；然后请 /retry 或 /cancel。`,
    ),
};
