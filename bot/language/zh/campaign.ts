import type { LanguageTexts } from '../en/en.ts';

const titles: LanguageTexts['campaign']['titles'] = {
  planned: '预览',
  running: '进行中',
  paused: '已暂停',
  stopped: '已停下',
  finished: '已完成',
  closed: '已关闭',
};
const outcomes = {
  approved: '都有了拉取请求',
  ci_green: '都有了检查通过的拉取请求',
  merged: '都已合并',
};

const notStarted: LanguageTexts['campaign']['notStarted'] = (tally) => {
  const parts = [
    [tally.waiting, '在排队'],
    [tally.later, '在后面的步骤里'],
    [tally.leftOut, '不参加'],
    [tally.stopped, '因排在前面的仓库失败'],
    [tally.unwanted, '因所有者的维护者不同意'],
    [tally.elsewhere, '已由别处的拉取请求完成'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, where]) => `${n} 个${where}`);
  return `未开始：${said.join('，')}。`;
};

export const zhCampaign: LanguageTexts['campaign'] = {
  titles,
  scheduled: '定时中',
  states: { ...titles, planned: '等待开始' },
  leftOut: {
    duplicate: '重复写出',
    archived: '已归档',
    fork: '派生仓库：写出名字且不带来源仓库才参加',
    missing: '不存在，或我们看不到',
    banned: '不接受代理的改动',
    not_allowed: '不接受我们的推送、派生或拉取请求',
    pull_open: '已有我们的拉取请求',
    running: '已有任务在进行',
    over: '超出一个批次的上限',
    invalid_branch: '分支名太长，或 git 不接受',
    invalid_base: '基础分支名太长，或 git 不接受',
    invalid_title: '标题太长，或含有控制字符',
    invalid_goal: '目标为空、太长，或含有控制字符',
    invalid_command: '变量的值无法写进命令',
    link_out: '排在不参加的仓库之后',
    with_branch: '带了分支名：请另下一单并写 base=<分支>，它对整个列表有效',
  },
  notAdopted: {
    ours: '是我们的任务打开的',
    known: '已在跟踪',
    missing: '不存在，或我们看不到',
    away: '代码托管平台没有回应；请稍后再发一次',
    over: '超出一个批次的上限',
    elsewhere: '不在这个代码托管平台上',
  },
  adopted: { open: '已打开', red: '检查未通过', green: '检查通过', merged: '已合并', closed: '已关闭' },
  marks: {
    merged: '已合并',
    done: '已完成',
    green: '检查通过，等审阅者',
    open: '已打开，等检查',
    waits: '等你处理',
    works: '进行中',
    denied: '被拒绝',
    failed: '失败',
    skipped: '已跳过',
    out: '不参加',
    cancelled: '已取消',
  },
  looking: (n, queries) =>
    `正在${[n > 0 || queries === '' ? `查看 ${n} 个仓库` : '', queries === '' ? '' : `查找 ${queries}`].filter(Boolean).join('，')}。预览会出现在这条消息里；你点“开始”之前不会开始任何任务。`,
  takePart: (n, of) => `${of} 个仓库中有 ${n} 个参加`,
  found: (query, repos, given, of, whole) =>
    `${query}：${repos} 个仓库${
      given < of
        ? `；代码托管平台只给出 ${of} 条结果中的 ${given} 条：请缩小范围`
        : whole
          ? ''
          : '；代码托管平台没有查完就停了：请缩小范围'
    }`,
  fixes: (titles) => `每个仓库一个拉取请求，包含：${titles}`,
  example: (repo) => `填入变量后，以 ${repo} 为例：`,
  filled: { title: '标题', branch: '分支', base: '基础分支', goal: '目标', command: '命令' },
  unseen: (n) => `还有 ${n} 个仓库没有查看：轮到它们时再判断`,
  out: (n, why) => `不参加：${n} 个${why}`,
  more: (n) => `… 还有 ${n} 个`,
  canary: (first, steps) => `先做 ${first} 个仓库，之后每次 ${steps} 个`,
  next: (outcome) => `上一步的仓库${outcomes[outcome]}后，下一步才开始`,
  limits: (day, owner, open) => `每天最多 ${day} 个，每个所有者最多 ${owner} 个，同时最多 ${open} 个`,
  stops: (failures, denials) => `一步中失败超过 ${failures} % 或被拒绝超过 ${denials} % 时自动停下`,
  estimate: (work, cost, attention, of) =>
    `按过去 ${of} 个任务估算：运行约 ${work}，费用约 ${cost}，占用你约 ${attention}`,
  each: (expected) => `每个仓库：${expected}`,
  costUnknown: '费用未知',
  noEstimate: '没有过去的任务可供估算。',
  nothingYet: '你点“开始”之前不会开始任何任务。',
  patience: '一周内没有人点，就会自动关闭。',
  lapsed: {
    late: '一周内没有人开始，已自动关闭。没有任何改动。',
    replaced: '同一定时的下一份已到，这一份没有人开始，已自动关闭。没有任何改动。',
  },
  came: (origin) => {
    switch (origin.kind) {
      case 'issue':
        return `${origin.by} 给 ${origin.repo} 的议题 ${origin.issue} 加了标签`;
      case 'schedule':
        return `定时 ${origin.schedule} 到点了`;
      case 'hook':
        return `网络钩子 ${origin.hook} 发来的`;
    }
  },
  source: (origin) => {
    switch (origin.kind) {
      case 'issue':
        return `${origin.repo} 的议题`;
      case 'schedule':
        return `定时 ${origin.schedule}`;
      case 'hook':
        return `网络钩子 ${origin.hook}`;
    }
  },
  quoted: '代理会读到的内容（他人所写）',
  every: (every) => `每到 ${every} 就重新查看一遍，并把预览发给你。`,
  firstTime: '你点“定时”之前不会有预览。',
  nextTime: (when) => `下一份预览：${when}`,
  noNextTime: '不会再有预览。',
  cameLast: (id, when) => `上一份：${id}，${when}`,
  merged: (n, of, percent) => `已合并 ${n}/${of}（${percent} %）`,
  begun: (n, of) => `${of} 个仓库中已开始 ${n} 个`,
  onYou: '等你处理',
  failed: '失败',
  near: '接近上限',
  busy: '等我们在那里的另一个任务',
  elsewhere: (n) => `在别处打开、只跟踪：${n} 个`,
  adopting: (n) => `正在查看 ${n} 个拉取请求。`,
  queue: (owner, n) => `等 ${owner} 的 CI：我们有 ${n} 个在排队`,
  waits: {
    open: (count, of) => `同时最多 ${of} 个，现有 ${count} 个：下一个要等空位`,
    owner: (count, of) => `${count} 个仓库的所有者已有 ${of} 个在进行，要等空位`,
    day: (count, of) => `24 小时内已开始 ${count}/${of} 个：下一个等到明天`,
    busy: (count, of) => `已放行的 ${of} 个中有 ${count} 个在等我们在同一仓库的另一个任务`,
    queued: (count, of) => `已放行的 ${of} 个中有 ${count} 个在等我们其它任务的检查排到机器`,
    after: (count, of) => `已放行的 ${of} 个中有 ${count} 个在等排在它们之前的仓库`,
    step: (count, of) => `到目前为止各步的 ${of} 个中还有 ${count} 个尚未达到`,
  },
  nextStep: (n) => `下一步：再开始 ${n} 个仓库`,
  last: '所有仓库都已开始。',
  lastStep: (tally) => `没有下一步了。${notStarted(tally)}`,
  notStarted,
  approvers: (who) => `只有这些人可以批准：${who}`,
  stopped: (kind, count, of, bound) =>
    kind === 'approvers'
      ? `已自动停下：它指定的审批人中还有 ${count} 位能批准，需要 ${of} 位。用 /users 把角色还给其中一位再点“继续”；或关闭它，另指定审批人重新发起。`
      : kind === 'access'
        ? `已自动停下：最近的 ${count} 个仓库都对我们隐藏或不开放，原因多半是我们的凭据。已开始的任务继续进行。请检查令牌或应用，然后点“继续”。`
        : `已自动停下：这一步的 ${of} 个中有 ${count} 个${kind === 'failures' ? '失败' : '被拒绝'}，上限是 ${bound} %。已开始的任务继续进行；点“继续”仍会开始后面的仓库。`,
  paused: '不再开始新的仓库。已开始的任务继续进行。',
  finished: '所有任务都已结束。',
  closed: '不再开始新的仓库。',
  sure: (n) =>
    n === 0
      ? '要彻底关闭吗？没有尚无拉取请求的任务；已打开的拉取请求保持不变。'
      : `要彻底关闭吗？可以同时取消 ${n} 个还没有拉取请求的任务；已打开的拉取请求保持不变，之后可以另点一次来关闭。`,
  asksFirst: '开工前的要求',
  askFirst: (n) => `开工之前，有 ${n} 个仓库先提出了要求。原文如下：`,
  nothingAsked: '都已答复。',
  firsts: {
    issue_first: '先要有议题',
    cla: '签署协议',
    human_words: '用你自己的话写描述',
    dco: '签署（sign-off）',
    base_branch: '另一个分支',
    other: '可能禁止这类改动：确认不是禁令才开始',
  },
  allAsk: (what, n) => `${what.join(' · ')}（${n}）`,
  allTheSame:
    '“开始”会直接开工：缺少的内容会写在每个拉取请求的卡片上。“逐个查看”会单独显示每张卡片，可以在那里作答。',
  answered: {
    begin: (n) => (n === 0 ? '它们都不再询问了。' : `已开始 ${n} 个。`),
    leave_out: (n) => (n === 0 ? '它们都不再询问了。' : `已略过 ${n} 个。`),
  },
  learned: { denial: '审批者的意见', review: '审阅者的要求', checks: '失败的检查' },
  wish: ({ repo, from, text }) =>
    from === 'checks'
      ? `同样的改动在 ${repo} 没有通过代码托管平台的这些检查：${text}。请确保它们在这里通过。`
      : `${from === 'denial' ? '审批者' : '审阅者'}对 ${repo} 中同样的改动说：\n\n${text}\n\n凡适用于本仓库的，请照做。`,
  nobodyLeft: '没有可以告知的仓库了：其他仓库已经知道、正在进行，或已结束。',
  taught: (n) => (n === 0 ? '没有可以告知的仓库了。' : `已告知 ${n} 个任务；每个都会带着自己的卡片回来。`),
  ownersNo: (owner, left) => `${owner} 的维护者拒绝了：不再开始他们的其余 ${left} 个仓库。`,
  hours: (when) => `只在 ${when} 开始仓库`,
  outOfHours: (when) => `不在工作时间：下一个在 ${when} 开始`,
  mergedAfter: (days, n, of, percent) => `${days} 天内合并 ${n}/${of}（${percent} %）`,
  stuck: (n) => `${n} 个已等了几天`,
  keeps: (whom, long) => `已等${whom} ${long}`,
  keepers: { you: '你', reviewers: '审阅者', checks: '检查' },
  eta: (left, when) => `按目前的速度，最后一个将在 ${left} 后等你决定（${when}）`,
  idle: (n, places) =>
    `${places} 个空位都被一周没有动静的 ${n} 个拉取请求占着。其中一个结束之前不再开始新的。`,
  noIdle: '已有空位，或又有了动静。',
  goesOn: (places) => `现在同时最多可以打开 ${places} 个。`,
  granted: (amounts) => `每个运行最多可以用 ${amounts}。`,
  withdraws: (n) =>
    n === 0
      ? '没有打开着的拉取请求。'
      : `将关闭我们的 ${n} 个拉取请求（别人推送过的除外）。描述的最前面会写上（英文）：`,
  gaveUp: '批次已关闭。',
  withdrawn: (n) => (n === 0 ? '没有可以关闭的。' : `正在关闭 ${n} 个拉取请求；有必须留着的会告诉你。`),
  buttons: {
    start: (n) => `开始 ${n} 个`,
    undo: (n) => `撤销 ${n} 个`,
    schedule: '定时',
    drop: '放弃',
    pause: '暂停',
    resume: '继续',
    close: '关闭',
    sure: '彻底关闭',
    cancel: (n) => `关闭并取消 ${n} 个`,
    retry: (n) => `重试失败的 ${n} 个`,
    all: (n) => `全部 ${n} 个`,
    goOn: '再开始 5 个',
    closeIdle: (n) => `关闭 ${n} 个没有动静的`,
    wait: '等等',
    first: (n) => `${n} 个先提出要求`,
    begin: (n) => `开始 ${n} 个`,
    leaveOut: (n) => `略过 ${n} 个`,
    singly: '逐个查看',
    learn: (n) => `已学到 ${n} 条`,
    teach: (n) => `用到其他 ${n} 个`,
    withdraw: (n) => `关闭 ${n} 个拉取请求`,
    look: '刷新',
  },
  did: {
    started: '已开始。',
    scheduled: '已定时。',
    paused: '已暂停。',
    resumed: '已继续。',
    closed: '已关闭。',
  },
  waves: {
    of: (no, all, n) => `第 ${no} 批，共 ${all} 批：${n} 个仓库`,
    waits: (repos) => `排在 ${repos} 之后`,
    merged: (commit) => `已合并为 ${commit}`,
    released: (tag) => `已发布为 ${tag}`,
    refused: '已发布，但名称不能写进命令',
    stopped: (repo) => `不再开始：${repo} 失败了`,
    later: '尚未开始',
  },
  undo: {
    scheduled: (id) => `${id} 是定时，自己没有任务。请撤销它的某个批次：/campaign ${id} 会写明最近一个。`,
    nothing: (id) =>
      `没有可以撤回的：${id} 没有已合并的内容，或已经有还原它的拉取请求。/campaign ${id} 可以关闭打开着的。`,
    looking: (n) => `正在查看 ${n} 个已合并的拉取请求。预览会替换这条消息；你点“撤销”之前不会开始。`,
    of: (id) => `撤回 ${id} 已合并的内容；每个都是一个要照常审批的拉取请求。`,
    also: (open, working) =>
      `“撤销”还会关闭 ${open} 个打开着的拉取请求，取消 ${working} 个还没有拉取请求的任务，并删除我们的分支。`,
    rest: (stays) => `其中 ${stays} 个拉取请求仍打开：正在关闭，或有别人推送过。`,
    fresh: (n, first) => `预览之后又合并了 ${n} 个：/campaign ${first} undo 可以一并撤回。`,
    by: (undos) => `已由 ${undos} 撤销`,
    role: '关闭拉取请求需要审批者：请其中一位点“撤销”。',
  },
  tried: (n) => (n === 0 ? '没有可以重试的。' : `正在重试 ${n} 个。`),
  not: (how) => `现在不行：这个批次${how}。`,
  unknown: (id) => `没有批次 ${id}。`,
  none: '还没有批次。用 /batch 发起一个。',
  which: '请说明是哪个批次：/campaign 会列出来。',
  list: '批次',
  scheduledEntry: (state, every) => `${state === 'running' ? '定时中' : titles[state]}，每到 ${every}`,
  entry: (how, released) => (released === 0 ? how : `${how}，各步至今共 ${released} 个仓库`),
};
