# Every sentence that people read, in Chinese. docs/translating.md says how this file is written.

listSeparator = 、

## What a run is doing

headings-QUEUED = 排队中
headings-DISCOVERY = 阅读中
headings-PLAN_READY = 计划就绪
headings-IMPLEMENTING = 工作中
headings-LOCAL_VALIDATING = 测试中
headings-PUSHED = 等你决定
headings-CI_WAIT = 等待 CI
headings-REVIEW_WAIT = 评审中
headings-ITERATING = 修复中
headings-PAUSED = 已暂停
headings-DONE = 完成
headings-SKIPPED = 已跳过
headings-NEEDS_HUMAN_REVIEW = 需要你处理
headings-FAILED_RETRYABLE = 重试中
headings-FAILED_TERMINAL = 失败
states-QUEUED = 等待空闲名额
states-DISCOVERY = 正在阅读仓库
states-PLAN_READY = 准备开始
states-IMPLEMENTING = 代理正在工作
states-LOCAL_VALIDATING = 正在运行我们的检查
states-PUSHED = 等你决定
states-CI_WAIT = 等待仓库的检查
states-REVIEW_WAIT = 等待评审
states-ITERATING = 正在修复
states-PAUSED = 已暂停
states-DONE = 已完成
states-SKIPPED = 已跳过
states-NEEDS_HUMAN_REVIEW = 需要你处理
states-FAILED_RETRYABLE = 失败了，会自动重试
states-FAILED_TERMINAL = 已失败
doing-card = 等你在卡片上决定
doing-opening = 正在创建拉取请求
doing-heldBack = 已批准，等待创建
doing-approvedHeading = 已批准，稍后创建
doing-held = 正在排队等待写入代码托管平台
doing-pushing = 正在推送
verdicts-RED = 检查未通过。
verdicts-PENDING = 检查还没有结束。
verdicts-GREEN = 所有检查都通过了。
verdicts-GREEN_REQUIRED = 必需的检查通过了，其他的没有。
verdicts-GREEN_SEEN = 能读到的检查都通过了。有些读不到：请到 GitHub 上看。
verdicts-AWAITING_MAINTAINER = 需要维护者允许检查运行。
verdicts-NO_CI = 没有运行任何检查：平台上什么都没有测试。
progress-created = 开始于
progress-repeat = （重复）
progress-stray = 我无法在聊天 { $chat } 里发消息，因此改发给你：
progress-fix = 第 { $n }/{ $of } 次修复
progress-agent = 代理正在工作
progress-reading = 正在获取并读取仓库
progress-plan = 计划 { $done }/{ $of } 步
progress-check = 正在运行我们的检查 { $name }
progress-tookBefore = 上次用了 { $time }
progress-doing-command = 正在运行 { $text }
progress-doing-test = 正在运行检查 { $text }
progress-doing-edit = 正在修改文件：{ $text }
progress-doing-read = 正在阅读：{ $text }
progress-doing-tool = 正在使用工具：{ $text }
progress-doing-says = 说：{ $text }
progress-doing-prints = 输出：{ $text }
progress-doing-waits = 正在等待模型
progress-dollarsAMinute = 每分钟 { $cost }
progress-tokensAMinute = 每分钟 { NUMBER($tokens) } 个 token
progress-queued-now = ✉ 现在转告代理：{ $words }
progress-queued-after = ✉ 这一轮之后转告代理：{ $words }
progress-heard = ✉ 代理已听到（{ $time }）：{ $words }
progress-moreChecks = 另有 { $n } 项
progress-replyTells = 回复这条消息，就能对代理说话。
attention-title-plan = 计划
attention-title-human = 需要你处理
attention-title-paused = 已暂停
attention-title-retry = 失败
attention-title-waits = 仍在等待
attention-title-past = 情况已变
attention-title-asks = ❓ 代理在提问
attention-over = 情况已经变了：现在{ $state }。
ended-done = 完成
ended-skipped = 已跳过
ended-failed = 失败
ended-cancelled-title = 已取消
ended-cancelled-did = 已取消
ended-denied-title = 已拒绝
ended-denied-did = 已拒绝
ended-closed-title = 已被 { GIVEN($by) ->
        [yes] { $by }
       *[no] 维护者
    } 关闭
ended-closed-did = 已被 { GIVEN($by) ->
        [yes] { $by }
       *[no] 维护者
    } 关闭
ended-unheard = ✉ 代理始终没听到：{ $words }
ended-took = 用时 { $time }

## Short names of the reasons at which runs stop

stops-agent_missing = 找不到代理
stops-auth_missing = 未登录
stops-rate_limited = 被要求等待
stops-quota_exhausted = 额度用完
stops-context_exceeded = 任务对模型来说太大
stops-model_unavailable = 模型没有回应
stops-sandbox_denied = 被沙箱拒绝
stops-permission_denied = 没有权限
stops-env_missing = 本机缺少所需环境
stops-install_failed = 安装失败
stops-registry_unavailable = 软件源无法使用
stops-registry_refused = 软件源拒绝了我们
stops-box_lost = 机器或容器引擎失去联系
stops-session_lost = 对话丢失
stops-bad_config = 代理拒绝了设置
stops-invalid_output = 没有有效报告
stops-agent_question = 代理在提问
stops-crashed = 意外结束
stops-timed_out = 超时
stops-cancelled = 按要求停下
stops-interrupted = 因重启中断
stops-budget_exceeded = 次数、时间或费用的上限已用完
stops-price_unknown = 模型价格未知
stops-no_changes = 没有改动
stops-checks_failed = 检查未通过
stops-push_rejected = 推送被拒绝
stops-policy_denied = 策略禁止
stops-repository_missing = 找不到仓库
stops-repository_archived = 仓库已归档
stops-not_allowed = 不对我们开放
stops-revert_impossible = 无法还原
stops-base_missing = 没有这个基准分支
stops-repository_empty = 仓库没有提交
stops-unsafe_workspace = 无法安全提交
stops-bad_repository_file = {"."}agentpr.json 读不懂
stops-repository_unreadable = 仓库无法读取
stops-transfer_refused = 保留的内容被改动
stops-bucket_unavailable = 存储桶无法使用
stops-disk_full = 磁盘已满
stops-seal_moved = 批准后有变动
stops-readback_mismatch = 发布结果不符
stops-forge_unavailable = 代码托管平台没有回应
stops-forge_refused = 代码托管平台拒绝
stops-chat_unavailable = 聊天服务没有回应
stops-chat_refused = 聊天服务拒绝
stops-merge_queue = 在合并队列中
stops-pull_limit = 打开的拉取请求太多
stops-account_suspended = 账号被暂停
stops-certificate_untrusted = 证书不受信任
stops-proxy_refused = 代理服务器拒绝
stops-agreement_required = 需要签署协议
stops-answers_missing = 需要只有人能给的信息
stops-issue_not_free = 议题已关闭，或已分配给别人
stops-competing_pulls = 已有人在做
stops-ban_read_by_agent = 可能禁止 AI
stops-possible_ban = 可能禁止 AI
stops-rule_unmet = 规则未满足
stops-ai_banned = 仓库禁止 AI
stops-plan_step_blocked = 计划步骤受阻
stops-plan_unchanged = 计划没有带来改动
stops-plan_too_long = 计划太长
stops-push_unconfirmed = 不清楚会推送什么
stops-pull_unconfirmed = 不清楚会创建什么
stops-merge_conflicts = 与基准分支冲突
stops-pull_too_late = 来不及停下就已创建
stops-updates_exhausted = 更新次数已满
stops-foreign_head = 有别人推送
stops-maybe_flaky = 可能不稳定
stops-rerun_refused = 检查无法重跑
stops-checks_red_on_base = 基准分支上也失败
stops-access_lost = 失去访问权限
stops-push_blocked = 无法推送
stops-seal_changed = 与批准的内容不符
stops-permission_asked = 请求许可
stops-cannot_continue = 无法继续
stops-rejected = 被人拒绝

## Answers to commands and taps

log-outcome = { $outcome ->
    [running] 进行中
    [completed] 完成
    [passed] 通过
    [failed] 失败
    [timed_out] 超时
    [not_run] 未运行
    [ran_no_test] 没有运行测试
    [interrupted] 中断
    [asked] 等待答复
   *[other] { $outcome }
}
log-exit = 退出码 { $code }
log-none = 任务 { $id } 还没有输出。
log-running = { $step } 还在运行；结束后会保存它的输出。
log-noStep = 没有步骤 { $step }。现有：{ $steps }。
log-empty = 没有输出任何内容。
log-plan = 任务 { $id } 的计划各轮，每轮一行
log-earlierCalls = 更早的 { $n } 次调用见文件
plan-none = 任务 { $id } 还没有读过仓库。
plan-ecosystems = 构建工具
plan-install = 安装
plan-checks = 检查
plan-given = 由任务指定
plan-noChecks = 没有找到检查 ⚠
plan-only = 仅用于 { $patterns }
plan-leftToCi = 留给 CI
plan-more = … 还有 { $n } 项
plan-rules = 仓库的规则
plan-rule = { $kind ->
    [ai_ban] 禁止 AI
    [ai_limited] 限制 AI
    [ai_disclosure] 说明 AI 的使用
    [human_author] 作者须是人
    [human_words] 文字须由人写
    [dco] DCO
    [cla] CLA
    [template] 模板
    [issue_first] 先有议题
    [changelog] 更新日志
    [base_branch] 基准分支
    [branch_name] 分支名
    [commit_style] 提交格式
    [language] 语言
    [size] 大小
    [label_barred] 排除的标签
    [trailer] 尾注
    [vouch] 担保
    [elsewhere] 改动去别处
   *[other] 其他
}
plan-branch = 分支命名为 { $rule }
plan-titles = 标题遵循 Conventional Commits
plan-template = 拉取请求有模板
plan-flags = 需要小心
plan-own = 仓库的 .agentpr.json
plan-asks = 开始之前
plan-steps = 代理的计划
plan-byAgent = 由代理发现
plan-outline = 代理打算
budget-retries = 这一步的重试：{ $n } / { $of }
settings-you = 你是 { $id }，{ $role }。
settings-language = 本聊天的语言：{ $name }{ $chosen ->
        [yes] {""}
       *[no] （跟随你写的语言；可用下面的按钮固定）
    }
settings-changed = 本聊天现在使用{ $name }。
settings-updates-webhook = 消息由 webhook 送来。
settings-updates-polling = 消息由轮询（polling）取来。
settings-signOff = { GIVEN($as) ->
        [yes] 你以 { $as } 的名义签署（sign-off）。
       *[no] 你的提交不带签署（sign-off）。
    }
settings-signsOff = 仓库要求时，你发起的改动的提交会以你的名义签署：{ $as }。
settings-group = 只有操作员可以选择群组的语言。
places-hello = 大家好。我会处理命令（例如 /status）和对我消息的回复，其他内容一律忽略。
places-removed = 我被移出了 { $name }。那里的任务需要决定的事会发给你。
places-blocked = { $name } 屏蔽了我。其任务需要决定的事会发给你。
commandLine-pruned = 已移除：{ $containers } 个容器，{ $images ->
        [0] 没有镜像
       *[other] { $images }
    }。保留：{ $kept } 个镜像。
ownKeys-title = 通行密钥
ownKeys-link = 注册通行密钥的链接，十分钟内有效，只能注册一个。请在以后用来批准的浏览器里打开：
ownKeys-open = 注册密钥
ownKeys-off = 通行密钥需要看板有一个带域名的 https 地址：请设置 AGENTPR_PUBLIC_URL。
ownKeys-alone = 这个链接只属于你：请在私聊里要。
ownKeys-revoke = 吊销 { $name } { $key }
ownKeys-revoked = { $name } 的密钥 { $key } 已吊销：它的签名不再有效。
ownKeys-unknown = 没有这个密钥，或它不是你的。
ownKeys-needed = 这一项需要你自己的通行密钥。请在它的页面上批准：
ownKeys-decide = 打开页面

repositoryNotes-title = 备注
repositoryNotes-again-person = 你在这个仓库的早先任务里也提过这个要求：
repositoryNotes-again-maintainer = 评审人在这个仓库的早先任务里也提过这个要求：
repositoryNotes-before = 任务 { $run } 中是：
repositoryNotes-asks = 保留为备注后，这个仓库的每个代理都会得知这些话。由审批人决定。
repositoryNotes-keep = 保留为备注
repositoryNotes-keptBy = 已由 { $name } 保留为备注。
repositoryNotes-keptNow = 已保留。这个仓库的每个代理从现在起都会得知。
repositoryNotes-none = { $repo } 没有备注。
repositoryNotes-nowhere = 还没有仓库有备注。你第二次提出的要求会作为备注提供给你。
repositoryNotes-where = 这些仓库有备注：
repositoryNotes-forget = 忘记 { $no }
repositoryNotes-outcomes-known = 已经是备注了。
repositoryNotes-outcomes-full = 这个仓库已有 30 条备注，达到上限。请先忘记一条。
repositoryNotes-outcomes-unknown = 没有这个编号的备注。
repositoryNotes-outcomes-unfit = 备注须有 1 到 300 个字符。
setAside-title = 已搁置
setAside-nothing = 没有搁置的东西。
setAside-more = … 还有更早的
setAside-stopped = 两次让我停了下来
setAside-retry = 重试 { $id }
setAside-retried = { $id } 会再处理一次。如果它又让我停下来，我会再次把它搁置。
setAside-dropped = { $id } 已丢弃。
setAside-unknown = 没有编号为 { $id } 的搁置项。
setAside-row = { $id } · { $source ->
    [chat] 消息
    [forge] 事件
    [note] 通知
   *[cli] 命令
}，{ $at }：{ $why }{ GIVEN($says) ->
    [yes] { "" } · “{ $says }”
   *[no] { "" }
}
users-invite = 邀请链接（一小时内有效，只能用一次，角色为{ $role }）：{ $link }
users-inviteMany = 你还有三个邀请没有用掉。请等其中一个被使用或过期。
users-inviteAlone = 邀请只在你与我的私聊里给出。
users-came = { $name }（{ $id }）通过你的邀请加入，角色为{ $role }。
users-chosen = 这个人可以做什么？
users-title = 谁可以做什么
users-fixed = 由主机配置指定
users-added = { $name }（{ $id }）现在是{ $role }。
users-removed = { $name }（{ $id }）不再有任何权限。
users-unknown = 我不认识 { $id }。
users-unchangeable = { $id } 由配置指定为管理员；请在主机上修改 TELEGRAM_ADMIN_IDS 或 SLACK_ADMIN_IDS。
users-anonymous = 那个账号代表所有群组的所有匿名管理员；它不会得到权限。
replies-now = { $label } { $state }。
replies-wrong = 请这样写：{ $form }
replies-unknown = 没有 /{ $name } 这个命令。
replies-noRun = 没有任务 { $id }。
replies-recent = 最近的任务：
replies-approved = 已记录：{ $label } 已批准。
replies-signed = 已记录你对 { $label } 的签名。还需要更多签名。
replies-edited = 已记录。正在检查新的文字；随后会有新的卡片，或说明为何不行。
replies-lookFirst = 请先看这张卡片，然后再确认。
replies-notForOpening-push = 这张卡片问的是能否推送，不是能否创建拉取请求。请用它的按钮决定。
replies-notForOpening-reply = 这张卡片问的是能否发布对评审的回复，不是能否创建拉取请求。请用它的按钮决定。
replies-riskFirst = 这个改动风险高。请先看下面标出的内容，然后再确认。
replies-merge = 合并永远由你来做，我从不合并。{ FILLED($pull) ->
        [yes] {" "}{ $pull }
       *[no] {""}
    }
replies-noneFits = 现在没有任务可以这样做。/status 会列出全部。
replies-endedRun = { $label } 已结束：{ $state }。可以用同样的内容开始一个新任务。
replies-notNow = 现在做不到：{ $label } { $state }。
replies-told = 已为 { $run } 的代理排队。它会在这一轮之后听到，除非你点“现在”。
replies-dropEnds = 这会结束 { $run }：它还没有拉取请求，代理做的一切都会丢弃。确定吗？
replies-drops = 这会停止任务 { $run } 的代理，并丢弃它在上次推送之后的改动。拉取请求会保留。确定吗？
replies-keeps = 这会立即停止任务 { $run } 的代理。到目前为止的改动会保留并接受检查，就像它已完成一样。确定吗？
replies-hostDrops = 这会丢弃任务 { $run } 的代理在上次推送之后的改动。如果还没有拉取请求，任务会随之结束。
replies-toldLater = 现在没法转告：任务{ $state }。请先暂停它，或等它的卡片。
replies-otherEngine = 任务不能更换引擎。点一下会用 { $engine } 重新开始同样的任务；旧任务不再需要时请取消。
replies-allowance = 24 小时内还能开始 { $left } 个任务（上限 { $daily }，已开始 { $used }）。现在有 { $busy } 个在运行，上限 { $parallel }。
replies-whichOne = 哪个任务？请说仓库、编号或它在 /status 中的序号。
replies-busy = 这里限制我发消息的数量，所以你最近的几个问题我没有回答。等这些回答到了再问。
replies-answeredDirectly = 我在私信里回答你。
replies-setAside = 你上一条消息两次让我停了下来，我已把它搁置，没有改动任何东西。请换个说法。
replies-changedRecord = 这件事我没能做成，也没有改动任何东西：卡片在数据库中的记录被改动了。请运维者运行 `agentpr replay --all`，它会指出改动了什么，然后从备份恢复。其他任务照常进行。
replies-givenUp = 这件事我没能做成，也没有改动任何东西：{ $why } 主机上的日志有更多说明。
tap-forged = 这个按钮不是我发的，或者已经太旧。请用 /pending 取新的卡片。
tap-foreign = 这个按钮属于另一个聊天。
tap-stale = 这张卡片已被更新的取代；请用新的。
tap-unsent = 这张卡片还在记录中。请稍后再点。
tap-busy = 还有太多回答没有送达。等它们到了再点。
tap-gone = 已查不到这个按钮的用途。请用 /pending 取新的卡片。
tap-approvedBy = 已经{ FILLED($name) ->
        [yes] 由 { $name }{" "}
       *[no] {""}
    }批准了。
tap-deniedAlready = 已经关闭：{ $reason }
tap-expired = 这张卡片已于 { $time } 过期。新的在下面。
tap-changedRecord = 这张卡片在数据库中的记录被改动了。请运维者运行：agentpr replay { $run }
tap-voidedAlone = 这张卡片已作废。
tap-voided = 这张卡片已作废：{ $reason }
tap-moved = 现在会发布的内容与这张卡片显示的不同。请看最新的卡片。
tap-movedOn = 这条消息之后任务已有变化：现在{ $state }。
tap-lapsed = { $names } 签过这张卡片，但已不再有批准权。请先 /deny { $run }，再 /retry { $run } 取新的卡片。
tap-notArmed = “确认”只对点过前一个按钮的人有效。请先点那个按钮。
tap-armedOver = “确认”一分钟内有效，已于 { $time } 失效。请重新点前一个按钮。
tap-arm = 请在 60 秒内点“确认”。
tap-readFirst = 风险高：请先看下面标出的内容，然后再点。
tap-disarmed = 什么都没有做。
tap-approved = 已记录：已批准。
tap-signed = 已记录：已签名。还需要更多签名。
tap-denied = 已记录：已拒绝。
tap-done = 已记录。
tap-duplicate = 这次点击之前已经记录过。
tap-shown = 请看下面。
tap-passed = 已记录：这些话会交给代理。
tap-takenBack = 已记录：正在重新检查先前的改动，随后给出新卡片。
tap-passedAlready = 已经由 { $name } 转给代理了。
tap-longer = 原文比这条消息显示的更长。请先看下面的全文，然后再点。
connection-party-chat = { $name }
connection-party-forge = { $name }
connection-party-engine = 引擎 { $name }
connection-away = 无法使用
connection-back = 中断 { $time }后已恢复
connection-meanwhile-chat = 你发来的内容没有丢失，现在开始处理。
connection-meanwhile-forge = 等待它的任务会继续进行。
connection-meanwhile-engine = 因它而失败的任务可以重试。
foreign-what = { $commits ->
        [1] 提交 { $sha }
       *[other] 到 { $sha } 为止的 { $commits } 个提交
    }
foreign-by = 作者 { $author }
foreign-size = 自我们上次推送以来 { $files } 个文件，+{ $added } −{ $deleted }
foreign-over = 它是强制推送的：我们的提交已不在分支上。
foreign-reading = 正在读取…
foreign-taking = { $by } 正在采用它；再次询问代码托管平台…
foreign-choose = 采用它以便从那里继续，或在代码托管平台移除它，或取消任务。

## Screens about runs, changes and risks

fleet-title = { $live } 个任务进行中
fleet-none = 没有进行中的任务。用 /new owner/name 要改什么 来发起
fleet-attention = 最需要你处理
fleet-calm = 没有事在等你。
fleet-runs = 最近的任务
fleet-noRuns = 还没有任务。用 /new owner/name 要改什么 来发起
fleet-pending = { $n } 件事等人处理
fleet-more = … 还有 { $n } 个
fleet-alikeQuestions = { $n } 个代理提出同样的请求
fleet-answerAlike = 一起回答这 { $n } 个
fleet-decideLow = 低风险：{ $n } 个一起看
fleet-noLow = 没有可以在列表里决定的低风险改动。
fleet-next = 下一个决定
fleet-noNext = 没有别的事在等你。
fleet-does-approval = 决定
fleet-does-human = 处理
fleet-does-paused = 继续
fleet-does-plan = 计划
fleet-waits-approval = 等待你的决定
fleet-waits-human = 需要你处理
fleet-waits-paused = 已暂停
fleet-waits-plan = 请看计划
detail-asked = { $name } 发起于 { $when }：
detail-changed = { $engine } 用 { $time }改了 { $files } 个文件（{ $size }）；评审约 { $minutes } 分钟。
detail-pushed = 在分支 { $branch } 上。
detail-notPushed = 还没有推送任何内容。
detail-moreChecks = … 还有 { $n } 项检查：见 /log
detail-policies = 策略
detail-noPolicies = 没有策略反对
detail-onBaseToo = 在 { $ref } 上同样不通过
detail-record = 备查
detail-run = 任务
detail-commit = 提交
detail-seal = 所批准内容的摘要
detail-attempts = 执行记录
detail-spent = 创建拉取请求后修复 { $n }/{ $of } 次 · 工作 { $time } · { $tokens } token
grade-title = 评级
grade-earlier = 每次尝试的评级
grade-levels-PASS = 合格
grade-levels-NEEDS_REVIEW = 需要人看
grade-levels-FAIL = 不合格
grade-gradedBy = 依据
policies-actions-push = 推送
policies-actions-open_pr = 创建
policies-decisions-deny = 被拒绝
policies-decisions-escalate = 由人决定
policies-decisions-allow = 允许
policies-raises = 风险来自：
policies-can-deny = 任何人都不能签名放行。请重试，代理会得知原因；或者结束任务。
policies-can-escalate = 看过后签名，或说明原因拒绝，代理会得知原因。
policies-can-allow = 可以批准了。
risk-title = 决定之前请先看
risk-findings = 发现的问题
risk-nothing = 没有单独标出的行；原因见上。
diff-caption = { $repo } · { $id } · { $sha }
diff-fix = 自 { $sha } 以来修复所作的改动
diff-unfinished = 未完成：停下的代理留下的改动，尚未提交
diff-atWork = 未完成：代理到目前为止的改动，它还在工作
diff-elsewhere = 任务 { $id } 的代理正在另一个工作进程里改动文件，这里看不到。请先暂停任务，或者等它开始检查。
diff-unchanged = 任务 { $id } 的代理到目前为止没有改动，或者现在读不到。
diff-omitted = 有 { $bytes } 字节放不下
diff-hidden = { $n } 行中的密钥已隐藏，行尾标有 ⟦hidden⟧
diff-signs = ⟦…⟧ 是看不见的内容：字节（⟦0d⟧）或字符（⟦U+202E⟧）
diff-none = 任务 { $id } 还没有可看的改动。
text-heading = PR 文字
text-branch = 分支
text-author = 作者
text-signer = 签名的 SSH 密钥
text-commit = { $of ->
        [1] 提交说明
       *[other] 提交说明 { $n }/{ $of }
    }
text-title = 拉取请求的标题
text-opens = 标签、评审人、受指派人
text-body = 拉取请求的描述
text-newBody = 拉取请求的新描述
text-receipt = （其后是折叠的一行：任务、内容摘要、策略和审批人；你将显示为{ GIVEN($name) ->
        [yes] “{ $name }”
       *[no] 一个代号
    }）

## Roles, the welcome and the help

hints-edited = 我不处理编辑过的消息。请作为新消息重新发送。
hints-forwarded = 我不处理转发的消息。请自己输入命令。
hints-anonymous = 匿名管理员和频道不能下命令。请用你自己的身份发送。
hints-textless = 我只读文字、附有文字的一张图片和语音。其他内容（例如贴纸或一次发送的多张图片）会被忽略：请另发一条文字消息。
hints-inline = 我不处理内联消息。请使用这个聊天里的按钮。
welcome-hello = { $name }，你好！我是 AgentPR。
welcome-what = 告诉我要在哪个仓库改什么。代理完成改动，我来检查；创建拉取请求之前，你可以在这里读到每一行。我从不合并。
welcome-role = 你的角色：{ $role }。{ $rights }
welcome-rights-viewer = 你可以查看一切；只有操作员才能发起改动。
welcome-rights-operator = 你可以提出改动并控制任务；发布什么由审批人决定。
welcome-rights-approver = 你可以提出改动，并决定发布什么。
welcome-rights-admin = 你可以执行所有操作，并决定谁能做什么。
welcome-repositories = 你在这里用过的仓库：
welcome-account = { $account } 能读的仓库都可以：写 owner/name，或粘贴它的链接。
welcome-example = 在 { $repo } 修正 README 里的一个错别字
welcome-exampleOf = 修正 { $repo } 的错别字
welcome-try = 试一试：点一下示例。要再点一次才会真正开始。
welcome-pending = 有什么在等我？
welcome-help = 我能做什么？
welcome-tryLooking = 试一试：问问现在进展如何。
help-title = 你想做什么？
help-words = 也可以直接说：“有什么在等我？”、“重试 api 那个”、“暂停 2”。任务可以用它在 /status 里的序号、仓库、编号来指，也可以直接回复它的消息。
help-meant = 没有 /{ $name } 这个命令。是想用 /{ $near } 吗？
help-back = 全部主题
help-none = 这里没有你的角色能用的命令。
help-options = 选项写在最后：base=main engine=codex flow=plan check="npm test" title="…" branch=… budget=cost:2
roles-names-viewer = 查看者（viewer）
roles-names-operator = 操作员（operator）
roles-names-approver = 审批人（approver）
roles-names-admin = 管理员（admin）
roles-stranger = 我还不认识你。请管理员添加你的 id：{ $id }
roles-needs = 只有{ $role ->
        [viewer] 查看者（viewer）
        [operator] 操作员（operator）
        [approver] 审批人（approver）
       *[admin] 管理员（admin）
    }可以这样做；请联系管理员。

## The model of the chat

model-asking = 正在询问 { $name }；如果它有答案，会在 { $seconds } 秒内显示在这里。
model-says = { $name }（模型）的回答：
model-silent = { $name } 也没有给出答案。
model-cutOff = { $name } 还没回答，我就重启了。请再问一次。
model-spent = 模型今天的 token 额度已用完。
model-busy = 模型还在回答上一个问题，请稍后再问。
model-long = 这段话对模型来说也太长了。

## Voice notes

voice-heard = 我听到的是下面这些。点击之前什么都不会发生。
voice-use = 就用这些话
voice-drop = 不用
voice-used = 已采用：
voice-dropped = 未采用：
voice-notYours = 只有说这段话的人才能采用。
voice-already = 已经决定过了。
voice-noCommand = 代理要执行的命令必须写出来：转写可能差一个字母。请用文字回复那个问题。

## Pictures with an order

slackCut = …在此截断：Slack 的一条消息放不下更多。全文见看板（`board`）或主机（`agentpr run show`）。
pictures-goesAlong = 附上你的图片
pictures-unseen = { $engines } 看不了图片：代理只会收到文字。

## Voice notes that cannot be used

voiceProblems-off = 我听不了语音：这里没有配置语音转写。请写文字，或让运维者在 agentpr.config.json 里设置 chat.voice（见 docs/voice.md）。
voiceProblems-spent = 今天（UTC）的 { $minutes } 分钟语音额度已用完。请写文字，或调高 chat.voice.minutesPerDay。
voiceProblems-gone = Telegram 已经没有这条语音，或者它比所说的更大。请重新发送，或者直接写文字。
voiceProblems-broken = 这段录音无法读取：不是 Ogg 文件里的 Opus 音频，或者不完整。请重新发送，或者直接写文字。
voiceProblems-silent = 没有听到话。请靠近手机再说一次，或者直接写文字。
voiceProblems-wordy = 转写的文字超过 { $most } 个字符。请分成几条短的再说。
voiceProblems-down = 转写服务 { $name } 没有给出文字，什么都没有执行。请重新发送，或者直接写文字。
voiceProblems-slow = 转写服务 { $name } 在 { $seconds } 秒内没有给出文字，什么都没有执行。请重新发送，或者直接写文字。

## Several engines for one goal

turns-ends-passed = 检查通过
turns-ends-checks_failed = 检查未通过
turns-ends-denied = 被策略拒绝
turns-ends-no_changes = 没有改动
turns-ends-failed = 失败
turns-tokens = { NUMBER($n) } 个 token
turns-unpriced = { NUMBER($n) } 个 token，费用未知
turns-notComparable = 它们的费用无法比较

## Questions of agents for permission

permission-title = 请求许可
permission-asks-command = 代理请求运行一次：
permission-asks-tool = 代理请求使用一次工具“{ $tool }”，内容如下：
permission-asksEach-command = { $n } 个代理请求各运行一次：
permission-asksEach-tool = { $n } 个代理请求各使用一次工具“{ $tool }”，内容如下：
permission-allowEach = 各允许一次（{ $n }）
permission-denyEach = 全部拒绝（{ $n }）
permission-answeredEach = { $left ->
        [0] 已记录：{ $n } 个任务。
       *[other] 已记录：{ $n } 个任务；{ $left } 个已不再询问。
    }
permission-why = 为什么问你
permission-alternatives = { $proposer } 提议改为{ GIVEN($tool) ->
        [yes] （{ $tool }）
       *[no] {""}
    }，{ $risk }：
permission-pick = 允许 { $proposer } 的提议一次
permission-picked = 已记录：改为允许 { $proposer } 的提议一次。
permission-nobodySaid = 没有策略允许或禁止它
permission-waits = 你回答之前不会运行任何东西，也不会产生花费。不回答就是不允许。
permission-tooLong = 内容超出卡片能显示的长度，因此不能在这里允许。
permission-allow = 允许一次
permission-allowSort = 本任务中允许“{ $sort } …”
permission-sortMeans = “{ $sort } …”指以这些词和选项开头、其后只有普通名称、且没有其他反对理由的所有命令，直到本任务结束或有人撤销。
permission-allowedSort = 已记录：本任务中允许“{ $sort } …”。用 /revoke 撤销。
permission-stands = 本任务中允许：“{ $sort } …”（{ $by }）
permission-revoke = 重新询问我
permission-deny = 拒绝
permission-denyWords = 拒绝并说明
permission-edit = 修改
permission-allowed = 已记录：允许一次。
permission-denied = 已记录：已拒绝，会告诉代理。
permission-ask = 代理应该知道什么，或改做什么？请回复这条消息。
permission-askEdit = 要改为运行哪条命令（一次）？请用完整的命令回复这条消息。
permission-edited = 已记录：按你修改后的内容允许一次：
permission-editDenied = 策略不允许这条命令。这个问题仍待回答。
permission-editLong = 内容太长，没有人能全部读完：最多 { $most } 个字符。这个问题仍待回答。
permission-over = 这个问题已经结束，什么也没有做。

## Buttons for text that may mean several things

guesses-which = 不确定你的意思。是下面哪一个？
guesses-nothing = 我什么都没有改。可以看这些：
guesses-later = 我不会等到别的时间或某件事发生之后再做。到时候请再说一次。
guesses-spoken = 这些话要怎么处理？
guesses-order = 按这些话新建任务
unfinished-repository = 哪个仓库？点一个，或发送名称，例如 owner/name。
unfinished-repositories = 哪些仓库？点按钮，或在一条消息里发送它们的名称。
unfinished-all = 全部 { $n } 个
unfinished-goal = { $repositories } 要改什么？请用下一条消息告诉我。
unfinished-rest = 这条消息已到 Telegram 的长度上限。请现在发送其余部分，会接在后面。
unfinished-isAll = 就这些
unfinished-dropped = 好的，没有启动任何任务。
guesses-does-status = 现在的情况
guesses-does-pending = 等我处理的
guesses-does-runs = 所有任务
guesses-does-help = 帮助
guesses-does-detail = 详情
guesses-does-diff = 改动
guesses-does-log = 日志
guesses-does-plan = 计划
guesses-does-budget = 花费
guesses-does-settings = 设置
guesses-does-users = 谁可以做什么
guesses-does-report = 报告
guesses-does-insights = 什么最耗人工
guesses-does-campaign = 批次
guesses-does-batch = 改多个仓库
guesses-does-new = 新任务
guesses-does-fix = 给代理留话
guesses-does-retry = 重试
guesses-does-resume = 继续
guesses-does-pause = 暂停
guesses-does-cancel = 取消
guesses-does-skip = 跳过
guesses-does-update = 从基准分支更新
guesses-does-done = 标记为完成
guesses-does-deny = 拒绝
guesses-does-approve = 看卡片
guesses-does-merge = 合并
guesses-does-en = 说英文
guesses-does-zh = 说中文

## Denials, and what agents are told of them

denials-chips-approach = 思路不对
denials-chips-big = 改动太大
denials-chips-tests = 缺少测试
denials-chips-unneeded = 不需要
denials-chips-none = 不说原因
denials-asks = 为什么拒绝？
denials-asksWhy = 为什么拒绝？点按钮会结束任务；现在写下的话会交给代理，让它重新来过。
denials-asksChanges = 要改什么？现在就写，或回复这张卡片：代理会马上继续。
denials-ask = 要改什么？写在这里，代理会马上继续。
denials-askBelow = 请回复下面的消息。
answer-ask = 想知道什么？写在这里：代理会回答，什么都不会改动。
answer-sent = 已提问。答案会发到这里；卡片保持不变，期间仍可决定。
answer-questions = 向代理提出的问题
answer-open = 正在问代理。
answer-asked = { $by } 问代理
answer-says = 代理的原话：
answer-silent = 代理没有给出答案就结束了。
answer-movedOn = 没有回答：任务先往下进行了。等下一张卡片出现后再问。
answer-failed = 没有回答。{ $why }
answer-cardStays = 卡片没有变化，可随时决定。
denials-asked = 已交给代理，它会继续。
denials-captionOnly = 已交给代理，它会继续。代理只收到文字，图片留在这里。
denials-pictureStays = 代理只收到文字，图片留在这里。
denials-perhaps-asks-changes = 要让代理这样改吗？
denials-perhaps-asks-question = 要这样问代理吗？
denials-perhaps-asks-closing = 用这句话关闭拉取请求吗？
denials-perhaps-asks-answer = 用这句话回复评论吗？
denials-perhaps-asks-permission = 这是你给代理的回答吗？
denials-perhaps-use = 是，就用这段话
denials-perhaps-other = 不是，我另有所指
denials-perhaps-used = 已作为你的回答：
denials-perhaps-unused = 这不是回答：
denials-whichForm = 我在这里问过你不止一个问题，分不清这是在回答哪一个，所以没有作任何处理：请回复我最新的问题再发一次。
denials-why-approach = 思路不对
denials-why-big = 改动太大
denials-why-tests = 缺少测试
denials-why-unneeded = 不需要
denials-told-approach = 审批人拒绝了这次改动：思路不对。请换一种方式达成目标。
denials-told-big = 审批人拒绝了这次改动：太大。请用更小的改动达成目标，去掉不需要的部分。
denials-told-tests = 审批人拒绝了这次改动：缺少测试。请为改动补上测试。
denials-told-unneeded = 审批人拒绝了这次改动：不需要。

## Settings that cannot be used

settingsProblems-mustBeHttps = { $name } 必须是 https：{ $is }
settingsProblems-pagesAddress = GITHUB_API_URL 填的是网页地址：{ $is }。API 的地址是 https://api.{ $host }
settingsProblems-plainAddress = GITHUB_URL 必须是像 https://host 这样的地址，不带用户名，后面也没有其他内容。
settingsProblems-plainBotApi = TELEGRAM_API_ROOT 必须是 https：{ $is }。使用 http 时，途中任何人都能读到机器人的令牌；若是可信网络里你自己的 Bot API 服务器，请设置 TELEGRAM_API_ALLOW_HTTP=yes。
settingsProblems-together = { $names } 必须同时设置。
settingsProblems-noPrivateKey = GITHUB_APP_PRIVATE_KEY 不是私钥：请填写 GitHub 生成的 .pem 文件的内容，写成一行，行与行之间用 \n。
settingsProblems-noModelKey = 缺少 { $name }（环境变量或 .env）：聊天模型需要它的密钥（chat.model）。
settingsProblems-noVoiceKey = 缺少 { $name }（环境变量或 .env）：语音转写需要它的密钥（chat.voice）。
settingsProblems-noProgramSecret = 缺少 { $name }（环境变量或 .env），或者它短于 { $least } 个字符：arrivals.hooks.{ $hook } 需要该程序用来签名的密钥。
settingsProblems-noHookSecret = 缺少 { $name }（环境变量或 .env），或者它不是 24 字节以上的 base64 密钥：arrivals.hooks.{ $hook } 需要它。可用 `openssl rand -base64 32` 生成。
settingsProblems-noCommentToken = 缺少 { $name }（环境变量或 .env）：arrivals.hooks.{ $hook } 发表评论需要这个密钥。也可以去掉 `comment`。
settingsProblems-previousAlone = GITHUB_WEBHOOK_SECRET_PREVIOUS 需要与 GITHUB_WEBHOOK_SECRET（取代它的新密钥）一起设置。
settingsProblems-publicAlone = AGENTPR_PUBLIC_URL 需要 GITHUB_WEBHOOK_SECRET：没有它，任何人都能冒充 GitHub。可用 `openssl rand -hex 32` 生成。
settingsProblems-noBucketName = AGENTPR_BUCKET_URL 必须以存储桶的名称结尾：{ $is }
settingsProblems-oddPercent = OTEL_EXPORTER_OTLP_HEADERS 里有一个没有编码任何内容的 %；请写成 %25。
settingsProblems-prismaSchema = DATABASE_URL 里写了 schema={ $schema }，Postgres 不认识它（Prisma 才认识），表会建到别处。请写 ?options=-csearch_path%3D{ $encoded }，或给该用户设置这个 search_path。
settingsProblems-holdsVariable = { $name } 里有变量（{ $is }），这里不会展开。请写完整路径。
settingsProblems-quotedPath = { $name } 以引号开头（{ $is }）。请去掉引号。
settingsProblems-otherHome = { $name } 以 ~ 开头（{ $is }），只能表示你自己的主目录。请写完整路径。
settingsProblems-roleAlone = 角色 { $role } 需要多个进程都能写的账本：请把 DATABASE_URL 设为 Postgres。
settingsProblems-foreignAddress = { $host } 不是这台机器的地址。请把 AGENTPR_HTTP_HOST 设为这台机器的地址，或留空。
settingsProblems-portTaken = { $host } 的端口 { $port } 已被另一个程序占用。请停止它，或设置 AGENTPR_HTTP_PORT。
settingsProblems-networkNeedsBox = 脚本、安装或检查的网络要被切断（agentpr.config.json 里的 `network`），这需要沙箱。请安装 bubblewrap，或允许它们使用网络。
settingsProblems-hostsNeedContainers = agentpr.config.json 里的 `boxes` 指定了其他机器，命令在那里的容器中运行。请设置 AGENTPR_SANDBOX=container，或删去 `boxes`。
settingsProblems-noSuchBox = { $says }。{ $fix }或用 AGENTPR_SANDBOX=auto 接受较弱的沙箱。
settingsProblems-isUtf16 = { $file } 是 UTF-16 编码（编辑器里叫 Unicode）。请另存为 UTF-8。
settingsProblems-isNotUtf8 = { $file } 不是 UTF-8 编码。请另存为 UTF-8。
settingsProblems-noToolRows = toolRows 指向 { $folder }，无法读取：{ $says }
settingsProblems-repeated = agentpr.config.json:{ $line }：{ $key } 出现了两次，请删去其中一个。
settingsProblems-line = { $file } 第 { $line } 行：{ $says }
settingsProblems-curlyQuote = { $name } 里有弯引号（{ $mark }）。请用直引号（"）或不用引号。
settingsProblems-hashInside = { $name } 里的 # 会变成注释的开头。请用单引号括住它的值：{ $name }='…'。
settingsProblems-noAssignment = 这一行没有 NAME=值。每行写一个，注释前加 #。
settingsProblems-openQuote = { $name } 的值前面的引号（{ $mark }）没有结束。请补上，或去掉它。
settingsProblems-afterQuote = { $name } 末尾的引号（{ $mark }）后面还有内容。值里含有引号时，请用另一种引号括住它。

## The page about receipts

receiptPage-title = 如何阅读 AgentPR 回执
receiptPage-lead = 如果一个拉取请求末尾有一行折叠的“AgentPR receipt”，它就是由编码代理写的，而且在创建之前，有人批准了所发布的全部内容。
receiptPage-saysTitle = 它说明什么
receiptPage-says-run = 运维者给这项工作的编号；可以凭它向运维者询问
receiptPage-says-digest = 那个人所看到的全部内容的 SHA-256
receiptPage-says-policies = 在人之前评判这次改动的规则
receiptPage-notTitle = 它不说明什么
receiptPage-not = 它不说明改动是好的、测试通过，或那个人读完了全部内容。由您决定。您可以修改标题或描述，也可以推送到该分支；之后检查回执时会说明这一点。
receiptPage-checkTitle = 如何检查
receiptPage-check = 需要拉取请求的地址、Node，以及运维者公布的密钥，此外不需要运维者的任何东西：
receiptPage-keys = 请从您确知属于运维者的地方取得密钥。拉取请求里的链接可以指向任何地方：伪造者也会公布密钥。
receiptPage-theirs = 这套 AgentPR 的密钥

## Cards for several changes

cluster-asks-open = { $n ->
        [1] 创建这个拉取请求？
       *[other] 创建这 { $n } 个改动相同的拉取请求？
    }
cluster-asks-push = { $n ->
        [1] 推送这个改动？
       *[other] 把相同的改动推送到这 { $n } 个仓库？
    }
cluster-asksMixed-open = { $n ->
        [1] 创建这个低风险的拉取请求？
       *[other] 创建这 { $n } 个低风险的拉取请求？
    }
cluster-asksMixed-push = { $n ->
        [1] 推送这个低风险的改动？
       *[other] 推送这 { $n } 个低风险的改动？
    }
cluster-eachByItself = 每个改动各自独立、各自签名。“改动”里有全部内容。
cluster-over = 已决定
cluster-decided = { $n } 个改动
cluster-each = 每个 { $files } 个文件，{ $size }
cluster-openAll = 创建 { $n } 个拉取请求
cluster-bothAll = 推送分支并创建 { $n } 个拉取请求
cluster-pushAll = 推送 { $n } 个改动
cluster-around = 其中 { $n } 个改动的上下文不同
cluster-aroundAll = 各仓库中改动的上下文不同
cluster-apart = 这个批次还有 { $n } 个改动与此不同，各有自己的卡片。
cluster-shownAs = 此处显示 { $repo } 的内容；各仓库用自己的名称
cluster-more = … 还有 { $n } 个：点“逐个查看”
cluster-moreGone = … 还有 { $n } 个已不能在这里决定
cluster-approve = 批准 { $n } 个
cluster-confirm = 确认 { $n } 个
cluster-takeOut = 移出一个
cluster-showEach = 逐个查看
cluster-whichOut = 移出
cluster-whichEach = 逐个查看
cluster-page = 第 { $at }/{ $of } 页
cluster-approved = 已记录：批准了 { $n } 个。
cluster-signed = 已记录：已对 { $n } 个签名，还需要更多签名。
cluster-some = 已记录：已对 { $n } 个签名，{ $not } 个没有。见下方。
cluster-none = 没有批准任何改动。见下方。
cluster-fell = { $n } 个没有批准：
cluster-highAlone = 高风险改动要在自己的卡片上批准。
cluster-nothing = 这张卡片上已没有可以决定的改动。
cluster-takenOut = 已移出：{ $repo } 现在有自己的卡片。
cluster-file = { $n } 个改动的全部内容
cluster-unread = 现在读不到 { $repo } 的改动。请把它移出，或稍后再试。

## Pages of a diff

viewer-title = 改动
viewer-back = ◀ 区块
viewer-on = 区块 ▶
viewer-fileBack = ◀ 文件
viewer-fileOn = 文件 ▶
viewer-risky = 下一个 ⚠ 文件
viewer-picture = 图片
viewer-sides-before = 之前
viewer-sides-after = 之后
viewer-noPicture = 这个文件的前后都不是这里能显示的图片：仅限 PNG、JPEG、GIF 或 WebP，不超过 5 MB。
viewer-toCard = 回到卡片
viewer-end = 这个方向没有更多内容了。
viewer-over = 这些页面之后，改动已经变了。请在最新的卡片上点“改动”，或发送 /diff。

## Reports

report-title = { GIVEN($days) ->
        [yes] 最近 { NUMBER($days) } 天的报告
       *[no] 全部任务的报告
    }
report-none = 这段时间里没有下达过任务。
report-late = 较早的任务还在统计中；请过一分钟再问。
report-size = { NUMBER($runs) } 个任务，{ NUMBER($pulls) } 个拉取请求。
report-shares-firstCi = 首次提交即通过 CI
report-shares-needsHuman = 需要人处理
report-shares-merged7 = 7 天内合并
report-shares-merged30 = 30 天内合并
report-shares-survived30 = 合并 30 天后仍在
report-shares-survived90 = 合并 90 天后仍在
report-shares-reverted = 被还原
report-shares-unanswered = 没有回复的意见
report-counts = { NUMBER($of) } 个中有 { NUMBER($yes) } 个
report-share = { $name }：{ $share }
report-rate = （{ $percent }%；95% 区间 { $low }–{ $high }%）
report-ready = 从下达任务到第一张卡片：中位数 { $half }，九成在 { $most }内（{ NUMBER($of) } 个任务）
report-rounds = 代理每轮用时：中位数 { $half }，九成在 { $most }内（共 { NUMBER($of) } 轮）
report-perPull = 每个拉取请求用了 { $taps } 次点击、{ $sounds } 次响铃、人工耗时 { $time } 和 { $fixes } 次修复
report-cost = 模型费用：{ $all }，每个拉取请求 { $each }
report-costUnknown = { $runs } 个任务的费用未知
report-usedUp = 预算用尽（{ $budget }）
report-failures = 失败原因：{ $all }
report-by-engine = 引擎
report-by-ecosystem = 生态
report-by-repository = 仓库
report-by-prompt = 提示词版本
report-by-campaign = 批次
report-unnamed = 未知
report-more = 表中还有 { NUMBER($n) } 项
report-period = { GIVEN($days) ->
        [yes] { $days } 天
       *[no] 全部
    }
report-chart-ready = 从下达任务到第一张卡片（中位数）
report-chart-attention = 每个拉取请求的人工耗时
report-whole = 完整表格
report-columns-name = 分组
report-columns-runs = 任务
report-columns-pulls = 拉取请求
report-columns-firstCi = 首次 CI 通过
report-columns-needsHuman = 需要人处理
report-columns-ready = 首张卡片 p50 / p90
report-columns-rounds = 代理每轮 p50 / p90
report-columns-iterations = 修复 / PR
report-columns-taps = 点击 / PR
report-columns-pings = 响铃 / PR
report-columns-attention = 人工耗时 / PR
report-columns-merged7 = 7 天内合并
report-columns-merged30 = 30 天内合并
report-columns-survived = 仍在，30 / 90 天
report-columns-reverted = 被还原
report-columns-unanswered = 未回复
report-columns-cost = 费用
report-columns-failures = 失败原因
report-all = 全部
report-caption = 按{ $group }的报告；区间为 95%（Wilson）。

## What costs attention

insights-title = { GIVEN($days) ->
        [yes] 最近 { NUMBER($days) } 天最耗人工的事
       *[no] 全部任务中最耗人工的事
    }
insights-total = { NUMBER($runs) } 个任务：{ $spent }。
insights-spent = { $time }，{ NUMBER($taps) } 次点击，{ NUMBER($sounds) } 次响铃
insights-sorts-failure = 任务停下的原因
insights-sorts-skill = 提示词
insights-sorts-engine = 引擎
insights-sorts-repository = 仓库
insights-stopped = 需要人处理的任务：{ $share }
insights-rate = { $counts }（{ $percent }%，{ $low }–{ $high }）
insights-cards = 卡片
insights-card = { $kind }：拒绝 { $denied }，平均 { NUMBER($seconds) } 秒后决定{ $hasty ->
        [0] {""}
       *[other] ；{ NUMBER($hasty) } 张在一秒内批准，不可能读过
    }
insights-trial = 试用中的提示词：每个任务用哪个由抽签决定
insights-arm = { $prompt }：需要人处理 { $stopped }；首次 CI 通过 { $green }；人工耗时（中位数）：{ $attention }
insights-advice = 可以改什么
insights-noAdvice = 没有足够确定的建议。
insights-least = 每一方少于 { $runs } 个任务、对某个上限少于 { $answers } 次回答，或连续读过的卡片少于 { $cards } 张时，不提建议。区间为 95%；差异也可能另有原因。
insights-change = { $setting }：{ $to }。
insights-better = 需要人处理的任务：{ $from } 为 { $own }，{ $to } 为 { $other }；相差 { $by }。
insights-tight = 任务用尽{ $budget }后，人们让其中 { $share } 继续。
insights-neverDenied = 最近读过的 { NUMBER($cards) } 次推送没有一次被拒绝。
insights-followed = 改动之后的变化
insights-stoppedThen = 需要人处理：之前 { $before }，之后 { $after }
insights-tooFew = 数量太少，无法比较
insights-attentionThen = 每个任务的人工耗时（中位数）：之前 { $before }，之后 { $after }
insights-middle = { GIVEN($low) ->
        [yes] { GIVEN($high) ->
                [yes] { $half }（{ $low } 至 { $high }）
               *[no] { $half }
            }
       *[no] { $half }
    }

## Settings for new runs

installation-title = 新任务的设置
installation-marked = • 在这里改过；其余按主机的配置。
installation-names-engine = 默认引擎
installation-names-prompt = 提示词版本
installation-names-trial = 试用的提示词
installation-names-parallel = 同时进行的任务
installation-names-daily = 每天开始的任务
installation-names-time = 每个任务的时间
installation-names-tokens = 每个任务的 token
installation-names-cost = 每个任务的费用
installation-names-iterations = 创建拉取请求后的修复
installation-names-fixes = 检查未通过后的修复
installation-names-card = 卡片有效期
installation-names-reminder = 第一次提醒
installation-names-answer = 回复评审的期限
installation-names-approvals = 需要的签名
installation-names-own = 批准自己提出的改动
installation-names-pushes = 低风险修复免卡片
installation-names-ownercap = 同一所有者处打开的拉取请求
installation-names-repocap = 同一仓库中打开的拉取请求
installation-names-hourcap = 每小时创建
installation-names-daycap = 每天创建
installation-names-daybudget = 每天的预算
installation-names-monthbudget = 每月的预算
installation-names-personbudget = 每个人的预算
installation-names-campaignbudget = 每个批次的预算
installation-names-hours = 创建时段
installation-short-engine = 引擎
installation-short-prompt = 提示词
installation-short-trial = 试用
installation-short-parallel = 同时
installation-short-daily = 每天
installation-short-time = 时间
installation-short-tokens = token 数
installation-short-cost = 费用
installation-short-iterations = PR 修复
installation-short-fixes = 检查修复
installation-short-card = 卡片
installation-short-reminder = 提醒
installation-short-answer = 回复
installation-short-approvals = 签名
installation-short-own = 自己的改动
installation-short-pushes = 低风险修复
installation-short-ownercap = 所有者
installation-short-repocap = 仓库
installation-short-hourcap = 每小时
installation-short-daycap = 每天创建
installation-short-daybudget = 每天预算
installation-short-monthbudget = 每月预算
installation-short-personbudget = 每人预算
installation-short-campaignbudget = 批次预算
installation-short-hours = 时段
installation-does-engine = 没有指定引擎时，由它完成改动。
installation-does-prompt = 没有指定提示词版本时，代理使用的版本。
installation-does-trial = 每一百个新任务里有多少个改用另一个最新的提示词版本，好让 /insights 比较两者。
installation-does-parallel = 同时进行多少个任务；上限是主机的配置。
installation-does-daily = 24 小时内可以开始多少个任务；其余的排队等候。
installation-does-time = 一个任务的代理和检查一共可以用多久。审批人可以给单个任务更多。
installation-does-tokens = 一个任务的代理可以读写多少。
installation-does-cost = 一个任务的代理可以花多少美元。
installation-does-iterations = 创建拉取请求之后，任务最多可以因检查未通过或被要求修改而退回代理多少次。
installation-does-fixes = 我们的检查未通过后，最多退回代理多少次；再不通过就找人。
installation-does-card = 卡片的有效期。到期后关闭，由新卡片取代。
installation-does-reminder = 隔多久再提醒一次；每次的间隔加倍。
installation-does-answer = 评审人等待回复超过多久就找人。
installation-does-approvals = 一张卡片需要多少位不同的审批人签名。
installation-does-own = 提出改动的人能否自己批准。
installation-does-pushes = 对打开的拉取请求的低风险修复，是否不问就推送。
installation-does-ownercap = 在同一个所有者那里最多可以有多少个打开的拉取请求；超出的会等待。
installation-does-repocap = 在同一个仓库里最多可以有多少个打开的拉取请求；超出的会等待。
installation-does-hourcap = 每小时最多创建多少个拉取请求；其余的会等待。
installation-does-daycap = 24 小时内最多创建多少个拉取请求；其余的会等待。
installation-does-daybudget = 所有代理一天（UTC）最多花费多少美元。
installation-does-monthbudget = 所有代理一个自然月（UTC）最多花费多少美元。
installation-does-personbudget = 一个人提出的改动一个自然月（UTC）最多花费多少美元。
installation-does-campaignbudget = 一个批次从头到尾最多花费多少美元。
installation-does-hours = 何时创建已批准的拉取请求，例如 mon-thu 09:00-17:00 Asia/Shanghai。在此之外批准的会等待。
installation-units-pulls = { $n } 个拉取请求
installation-units-percent = { $n }% 的任务
installation-units-hours = { NUMBER($n) } 小时
installation-units-days = { NUMBER($n) } 天
installation-units-tokens = { NUMBER($n) } 个 token
installation-units-dollars = ${ $n }
installation-units-runs = { NUMBER($n) } 个任务
installation-units-rounds = { NUMBER($n) } 次
installation-units-people = { NUMBER($n) } 位审批人
installation-on = 开
installation-off-switch = 关
installation-off-limit = 不限
installation-range = 从{ $least }到{ $most }。要写别的值，请这样写：
installation-reset = 按主机的配置
installation-usual = 按主机的配置
installation-all = 全部设置
installation-log = 谁改了什么
installation-cards = 什么最耗人工
installation-kinds-open_pr = 拉取请求
installation-kinds-push = 推送
installation-kinds-reply = 评审回复
installation-host = 主机
installation-never = 这里还没有更改过任何设置。
installation-noRights = 不再有权限
installation-changed = { $at } · { $by } · 改为 { $what }
installation-set = 已记录。{ $name }：{ $value }。{ $holds ->
        [at_once] 立即生效。
       *[new_runs] 对此后开始的任务有效。
    }
installation-quiet = { GIVEN($hours) ->
        [yes] 免打扰时段：{ $hours }。
       *[no] 免打扰时段：无。
    }
installation-quietSet = { GIVEN($hours) ->
        [yes] 免打扰时段：{ $hours }。其间不响铃；结束时，等你决定的事会以卡片发来。
       *[no] 不再有免打扰时段。
    }
installation-quietForm = 请这样写：/settings quiet 22:00-07:30 Asia/Shanghai，或 /settings quiet off
installation-quietOver = 你的免打扰时段结束了。

## The board

board-name = 看板
board-link = 你的看板链接，十分钟内有效，只能用一次：
board-open = 打开看板
board-retry = 你刚才已经要了三个链接。请用最新的那个，或在 { $when } 之后再要。
board-alone = 链接只属于你本人：请在我们的私聊里要。
board-off = 看板没有开启：需要设置 AGENTPR_PUBLIC_URL，或让 AGENTPR_HTTP_HOST 只在本机。
board-signedOut = 已结束 { $name } 的 { $n } 个会话。
board-sessions = 看板会话：{ $n }
board-skip = 跳到内容
board-where = 当前位置
board-nav-inbox = 收件箱
board-nav-campaigns = 批次
board-nav-figures = 统计
board-signIn-title = 请从聊天登录
board-signIn-how = 在私聊里给机器人发送 /board，它会给你一个只能用一次的链接。
board-signIn-again = 是从别的页面过来的吗？请再打开一次本页。
board-signIn-used = 这个链接已经用过，或者超过了十分钟。请发送 /board 要一个新的。
board-signIn-there = 在这里已经登录？继续前往看板。
board-signIn-opens = 正在打开看板…
board-signIn-go = 进入看板
board-signIn-confirm = 这个链接会在这台设备上登录一次。
board-signIn-expired = 这个页面打开已超过一天。请关闭它，再从聊天中打开看板。
board-signIn-reopen = 这个页面被重新打开了。请关闭它，再从聊天里打开看板。
board-missing-title = 这里什么也没有
board-missing-says = 没有这个页面，或者内容已被删除。
board-broken-title = 没有成功
board-broken-says = 页面无法生成。原因在 agentpr 的日志里。
board-readOnly = 决定请在聊天里做，或用自己的通行密钥在改动的页面上做。
board-live-on = 实时
board-live-off = 连接断开，正在重试…
board-live-out = 已退出。请在聊天里发送 /board。
board-decide-heading = 决定
board-decide-words = 除这些行以外还会公开的内容
board-decide-title = 标题
board-decide-into = 合入
board-decide-commit = 提交
board-decide-author = 作者
board-decide-approves-open_pr = 创建拉取请求
board-decide-approves-push = 推送
board-decide-changes = 要求修改
board-decide-deny = 拒绝
board-decide-ask = 提问
board-decide-why = 写明原因、要改什么，或想知道什么
board-decide-send = 用通行密钥发送
board-decide-elsewhere = 通行密钥在浏览器里可用，在 Telegram 里不行。
board-decide-browser = 在浏览器里打开此页
board-decide-notWhole = 此页无法显示将要公开的全部内容，因此不能在这里决定。
board-decide-noKey = 要在这里决定，请先注册通行密钥：给机器人发 /passkey。聊天里的卡片照常可用。
board-decide-noTrustedKey = 这一项需要你自己的通行密钥，而你还没有有效的。给机器人发 /passkey；之后由运维者把它加进 approvalKeys。
board-decide-needsKey = 有策略要求审批人用自己的通行密钥。在聊天里点击不算数。
board-decide-left = 还差 { $n } 个签名。
board-decide-failed = 通行密钥没有签名，或没有收到回答。什么都没有决定；请再试。
board-decide-unsupported = 这个浏览器不支持通行密钥（WebAuthn）。
board-decide-role = 你的角色不能决定。
board-decide-moved = 这已不是将要发布的内容。什么都没有决定。
board-decide-lapsed = 签过名的人已没有批准权（{ $names }）。请在聊天里要一张新卡片。
board-decide-done-approved = 已用你的通行密钥批准。
board-decide-done-signed = 已用你的通行密钥签名。还需要其他人签名。
board-decide-done-denied = 已拒绝。
board-decide-done-changes = 已请代理修改。
board-decide-done-asked = 已提问。答案会出现在下面；还没有作出决定。
board-decide-faults-too_few = 还需要更多的人用自己的通行密钥签名。
board-decide-faults-unknown_key = 这个密钥没有登记在你名下，或已吊销。
board-decide-faults-untrusted_key = 这个密钥不在运维者的 approvalKeys 里。
board-decide-faults-wrong_signature = 密钥签的不是此页现在显示的内容。请重新打开页面。
board-passkeys-title = 通行密钥
board-passkeys-about = 通行密钥存在你的设备里，使用时要你的指纹、面容或密码。你用它批准的内容由它逐字节签名，拉取请求的回执让所有人都能看到。
board-passkeys-none = 你还没有密钥。
board-passkeys-synced = 设备厂商的账号里也有一份
board-passkeys-device = 只在一台设备上
board-passkeys-elsewhere = 属于 { $place }，不属于此地址
board-passkeys-register = 在此设备上注册密钥
board-passkeys-fromChat = 要注册密钥，请给机器人发 /passkey，并打开它回复的链接。
board-passkeys-failed = 没有注册密钥。请再试。
board-passkeys-unsupported = 这个浏览器不支持通行密钥（WebAuthn）。
board-passkeys-refused-refused = 浏览器的回答与要求不符。请用 /passkey 要一个新链接。
board-passkeys-refused-used = 这个链接已经注册过一个密钥。请再发 /passkey。
board-passkeys-refused-known = 这个密钥已经注册。
board-passkeys-refused-too_many = 你已有十个密钥。请先用 /passkey 吊销一个。
board-passkeys-done = 已注册：{ $fingerprint }。若有策略要求通行密钥，由运维者把它加进 agentpr.config.json 的 approvalKeys。
board-inbox-title = 收件箱
board-inbox-needs = 需要人处理
board-inbox-calm = 没有等人处理的事。
board-inbox-works = 进行中
board-inbox-idle = 没有正在进行的任务。
board-inbox-ended = 已结束
board-inbox-none = 没有符合的任务。
board-inbox-noEnded = 还没有结束的任务。
board-inbox-search = 搜索任务
board-inbox-hint = 关键词，或 repo: owner: state: engine: person: campaign:
board-inbox-find = 搜索
board-inbox-clear = 清除
board-inbox-older = 更早的任务
board-inbox-newest = 最新的任务
board-inbox-inChat = 在 Telegram 中打开
board-inbox-keys = j 和 k 移动，Enter 打开，/ 搜索
board-inbox-first = 只显示最新的 { $n } 个，其余请搜索。
board-risk-low = 低风险
board-risk-medium = 中风险
board-risk-high = 高风险
board-run-source = 来源
board-run-ordered = 下达
board-run-by = 由 { $name }
board-run-goal = 目标
board-run-path = 目前的进展
board-run-steps-queued = 下达
board-run-steps-reading = 阅读
board-run-steps-changing = 修改
board-run-steps-checking = 检查
board-run-steps-deciding = 决定
board-run-steps-ci = CI
board-run-steps-review = 评审
board-run-steps-end = 完成
board-run-change = 改动
board-run-size = { $files } 个文件，+{ $added } −{ $deleted }
board-run-readDiff = 阅读改动
board-run-noChange = 还没有改动。
board-run-checks = 检查
board-run-noChecks = 还没有检查评判过这个改动。
board-run-fullLog = 完整日志
board-run-timeline = 时间线
board-run-events-command_run_create = 下达了改动
board-run-events-command_discovery_start = 开始阅读仓库
board-run-events-command_implementation_start = 代理已启动
board-run-events-command_validation_accept = 检查由人工认可
board-run-events-command_push_approve = 已批准推送
board-run-events-command_pr_approve = 已批准创建拉取请求
board-run-events-command_pr_open_now = 管理员允许在创建时段之外创建
board-run-events-command_item_comment = 要求把链接发到指令的来源处
board-run-events-command_deny = 卡片被拒绝，或要求了修改
board-run-events-command_proposal_modify = 标题或描述被编辑
board-run-events-command_iterate = 要求了一次修复
board-run-events-command_review_choose = 选择了评审意见
board-run-events-command_review_begin = 开始处理所选的评审意见
board-run-events-command_remarks_answered = 评审意见被标记为已回复
board-run-events-command_comment_answer = 回复了一条评论
board-run-events-command_reply_approve = 已批准回复
board-run-events-command_ci_rerun = 要求重新运行检查
board-run-events-command_checks_waive = 任务跳过部分检查继续
board-run-events-command_base_update = 要求从基准分支更新
board-run-events-command_head_adopt = 采用了他人的提交
board-run-events-command_retry = 任务被重试
board-run-events-command_resume = 任务已恢复
board-run-events-command_pause = 任务已暂停
board-run-events-command_skip = 任务被跳过
board-run-events-command_cancel = 任务被取消
board-run-events-command_run_finish = 任务被标记为完成
board-run-events-command_budget_raise = 提高了一项限额
board-run-events-command_ban_overrule = 推翻了一条规则
board-run-now = 现在
board-run-lastLines = 最后几行
board-film-title = 逐步回放
board-film-open = 逐步查看
board-film-where = 第 { $n }/{ $all } 步
board-film-slider = 步
board-film-back = 后退
board-film-on = 前进
board-film-none = 还没有任何记录。
board-film-keys = ← 和 → 后退或前进一步，Home 和 End 到第一步和最后一步。
board-film-cut = 省略了更早的 { $n } 步。
board-film-kinds-event = 发生的事
board-film-kinds-said = 代理说
board-film-kinds-call = 代理使用了工具
board-film-kinds-command = 代理运行了命令
board-film-kinds-edit = 代理修改了文件
board-film-kinds-check = 我们的命令
board-film-kinds-turn = 轮次
board-tell-heading = 对代理说的话
board-tell-label = 对代理说点什么
board-tell-after = 这一轮之后
board-tell-now = 现在
board-tell-heard = 已听到
board-tell-waits-now = 等待，现在就说
board-tell-waits-after = 等待这一轮结束
board-tell-queued-now = 已排队：代理现在听到。
board-tell-queued-after = 已排队：代理在这一轮之后听到。
board-tell-role = 只有操作员可以指挥代理。
board-tell-script = 这个任务由脚本完成，脚本不读任何话。
board-tell-failed = 没有收到。请刷新页面再试。
board-run-events-command_work_keep = 代理被停止，改动保留
board-run-events-command_work_drop = 代理被停止，改动丢弃
board-run-events-command_agent_tell = 对代理说了话
board-run-events-command_words_schedule = 更改了转告代理的时间
board-run-events-command_permission_answer = 回答了代理的请求
board-run-events-command_question_ask = 有人提问
board-run-events-command_change_restore = 改动被撤回
board-run-events-command_permission_revoke = 撤销了代理的许可
board-run-events-command_requirement_answer = 回答了仓库的问题
board-run-events-worker_discovery_completed = 仓库已读完
board-run-events-worker_base_checked = 检查在基准分支上运行完毕
board-run-events-worker_implementation_completed = 代理完成了工作
board-run-events-worker_contract_refined = 代理补充了对仓库的了解
board-run-events-worker_plan_updated = 计划已更新
board-run-events-worker_validation_completed = 我们的检查结束了
board-run-events-worker_push_completed = 分支已推送
board-run-events-worker_pr_opened = 拉取请求已创建
board-run-events-worker_proposal_modified = 编辑后的文本已准备好
board-run-events-worker_pull_set_up = 已设置拉取请求的标签、评审人或草稿状态
board-run-events-worker_item_commented = 已在指令的来源处发表评论，或被拒绝
board-run-events-worker_ci_compared = 失败的检查与基准分支作了比较
board-run-events-worker_replies_sealed = 给评审人的回复已准备好
board-run-events-worker_replies_posted = 回复已发布
board-run-events-worker_step_failed = 一个步骤失败了
board-run-events-worker_permission_asked = 代理请求许可
board-run-events-worker_turn_interrupted = 为了转告，提前结束了代理的这一轮
board-run-events-worker_words_delivered = 代理听到了转告的话
board-run-events-worker_question_answered = 代理回答了问题
board-run-events-worker_permission_used = 代理用掉了一项许可
board-run-events-worker_call_repeated = 代理重复了一条命令
board-run-events-worker_base_merged = 基准分支已合并进改动
board-run-events-worker_base_compared = 改动与基准分支作了比较
board-run-events-worker_head_read = 读取了他人的提交
board-run-events-worker_usage_reported = 计算了代理的用量
board-run-events-worker_start_queued = 任务在排队
board-run-events-worker_slot_awaited = 对代码托管平台的写入在排队
board-run-events-forge_pull_observed = 查看了拉取请求
board-run-events-forge_pull_reopened = 拉取请求被重新打开
board-run-events-forge_repository_observed = 查看了仓库
board-run-events-forge_branch_renamed = 一个分支改了名
board-run-events-forge_access_observed = 查看了对仓库的访问权限
board-run-events-forge_head_observed = 查看了分支
board-run-events-forge_check_observed = 代码托管平台的一项检查有了结果
board-run-events-forge_ci_observed = 查看了代码托管平台的检查
board-run-events-forge_poll_failed = 无法询问代码托管平台
board-run-events-forge_poll_recovered = 代码托管平台恢复应答
board-run-events-forge_survival_observed = 查看了改动是否保留
board-run-events-forge_visibility_observed = 查看了谁能看到拉取请求
board-run-events-forge_review_submitted = 收到一份评审
board-run-events-forge_comment_created = 收到一条评论
board-run-events-timer_timeout = 到了时间上限
board-run-events-timer_reminder = 到了提醒时间
board-run-events-timer_remarks_due = 到了处理评审意见的时间
board-run-events-timer_retry = 到了重试时间
board-run-events-timer_approval_expired = 卡片过期了
board-run-events-timer_approval_frozen = 无人能答复期间，卡片暂停计时
board-run-looks = 查看代码托管平台 { $n } 次，没有新变化
board-run-more = 更早的 { $n } 个事件
board-run-attempts = 执行记录
board-run-noAttempts = 还没有执行过什么。
board-run-transcript = 记录
board-run-prompt = 给代理的提示
board-run-noOutput = 没有输出，或输出已被删除。
board-run-contract = 仓库的要求
board-run-noContract = 还没有读过这个仓库。
board-run-installs = 安装
board-run-rules = 规则
board-run-plan = 计划
board-run-policies = 策略
board-run-noPolicies = 没有策略反对。
board-run-notJudged = 策略还没有评判过。
board-run-verdicts-escalate = 需要人决定
board-run-verdicts-deny = 禁止
board-run-seal = 封存待批的内容
board-run-noSeal = 还没有封存待批的内容。
board-run-digest = 摘要
board-run-fields = 封存的字段
board-run-signed = 谁签了名
board-run-nobody = 还没有人签名。
board-run-cards-push = 推送
board-run-cards-open_pr = 创建拉取请求
board-run-cards-reply = 给评审人的回复
board-run-approvals-open = 等待中
board-run-approvals-consumed = 已签名并使用
board-run-approvals-void = 作废
board-run-approvals-denied = 被拒绝
board-run-approvals-expired = 过期
board-run-receipt = 回执
board-run-noReceipt = 还没有我们的拉取请求。
board-run-replay = 重放
board-run-replayed = 刚刚重放了本任务的 { $events } 个事件
board-run-trajectory = 由日志能得出这个状态
board-run-decisions = 对外的动作都有对应的决定
board-run-signatures = 哈希链与签名完整
board-run-pull = 拉取请求
board-run-campaign = 批次
board-run-facts = 概况
board-run-worked = 工作时间
board-run-tokens = token 数
board-run-engine = 引擎
board-run-picture = 附带的图片
board-run-pictureSize = { $width } × { $height } 像素
board-run-base = 基准
board-run-branch = 分支
board-run-summary = 代理的说明
board-run-turns = 代理的各轮
board-run-turn = 第 { $n } 轮
board-run-undecided = 未决定
board-run-turnVerdicts-approved = 批准：
board-run-turnVerdicts-modified = 修改：
board-run-turnVerdicts-rejected = 拒绝：
board-run-turnVerdicts-waits = 等人决定
board-run-evaluations-under_way = 进行中
board-run-evaluations-goes_on = 继续
board-run-evaluations-done = 报告已完成
board-run-evaluations-unchanged = 报告完成，但没有任何改动
board-run-evaluations-asks = 提出问题
board-run-evaluations-waits = 等人决定
board-run-evaluations-invalid = 回答无效
board-run-evaluations-failed = 没有得到回答
board-run-evaluations-interrupted = 被中断
board-run-contextOf = 读取约 { NUMBER($tokens) } 个 token{ $summarised ->
        [0] {""}
       *[other] ，较早的 { $summarised } 轮为摘要
    }
board-run-proposalResults-chosen = 被选中
board-run-proposalResults-not_chosen = 未被选中
board-run-proposalResults-denied = 被策略或人拒绝
board-run-proposalResults-invalid = 回答无效
board-run-proposalResults-failed = 已排除：没有回答
board-run-evidenceOfProposals-agreed = 另有提议者想做同样的事
board-run-evidenceOfProposals-read = 该文件已读过
board-run-evidenceOfProposals-fits = 补丁可以应用
board-run-evidenceOfProposals-checked = 上次改动后测试通过
board-run-pickedBy = 由 { $name } 允许
board-run-sizeOfProposal = { $lines } 行
board-run-cameOut = 结果
board-run-textGone = 这段文字已不再保留。
board-run-altered = 这一轮与写入时不一致。
board-diff-title = 改动
board-diff-files = { $n } 个文件
board-diff-tree = 改动的文件
board-diff-unified = 单栏显示
board-diff-split = 并排显示
board-diff-blanks = 显示空白改动
board-diff-noBlanks = 隐藏空白改动
board-diff-wrap = 自动换行
board-diff-scroll = 不换行
board-diff-whole = 纯文本
board-diff-next = 下一个
board-diff-previous = 上一个
board-diff-left = 还剩 { $files } 个文件，{ $lines } 行
board-diff-lastFile = 这是最后一个文件
board-diff-more = 还有 { $n } 行
board-diff-binary = 二进制文件
board-diff-before = 改动前
board-diff-after = 改动后
board-diff-cut = 本行还有 { $n } 个字符
board-diff-omitted = 改动太大，有 { $n } 字节无法在这里显示。
board-diff-gone = 这个任务的工作副本已被删除。改动在它的拉取请求里。
board-diff-sealed = 已封存：批准的正是这些字节
board-diff-unsealed = 还没有封存待批
board-diff-nothing = 没有改动任何行。
board-diff-since = 上次推送之后
board-diff-base = 全部改动
board-campaign-title = 批次
board-campaign-none = 还没有批次。在聊天里用 /batch 计划一个。
board-campaign-repository = 仓库
board-campaign-state = 状态
board-campaign-cluster = 相似
board-campaign-checks = 检查
board-campaign-pull = 拉取请求
board-campaign-waits = 等待
board-campaign-outliers = 先看这些
board-campaign-outOf = { $all } 个中有 { $n } 个与众不同
board-campaign-noOutliers = 没有仓库与众不同：文件相同，大小相近，没有失败。
board-campaign-everyOne = 全部仓库
board-campaign-lines = 行数
board-campaign-why-checks = 检查未通过：{ $commands }
board-campaign-why-moreFiles = 改了别的仓库没有动的文件：{ $paths }
board-campaign-why-fewerFiles = 没有改别的仓库都改了的文件：{ $paths }
board-campaign-why-size = 改动 { $lines } 行；其余仓库有一半不超过 { $usual } 行
board-campaign-why-waits = 已等待 { $time }；其余仓库有一半不超过 { $usual }
board-campaign-alone = 与众不同
board-campaign-alike = { $n } 个相似
board-campaign-pace = 合并进度
board-campaign-merged = 已合并 { $n }/{ $of }
board-campaign-eta = 预计结束于 { $when }
board-campaign-notStarted = 未开始
board-campaign-noPace = 合并的不到三个，还画不出曲线。
board-figures-title = 统计
board-figures-csv = CSV 表格
board-figures-chart = 图表
board-figures-table = 表格
board-figures-queues = 当前队列
board-figures-depths-due = 到期
board-figures-depths-later = 稍后
board-figures-depths-at_work = 进行中
board-figures-failures = 任务停下的原因
board-figures-overTime = 每周任务停下的原因
board-figures-week = 起始周
board-figures-runs = 任务数

## Parts of the above that code puts together

voiceProblems-long = 这条语音太长：{ $is }，最多 { $most }。请分成几条短的再说。
voiceProblems-big = 这条语音太大：最多 { $most } MB。请分成几条短的再说。
voice-length = { $unit ->
    [seconds] { $n } 秒
   *[minutes] { $n } 分钟
}
denials-perhaps-asks-permissionEdit = 要改为执行这条命令吗？
receiptPage-says-approvedBy = 那个人公开的名字，或只有运维者知道是谁的代号
receiptPage-says-signedWithKey = 运维者的密钥，它对仓库、基准分支、提交、标题和描述签了名
cluster-passed = { $of } 个仓库{ $all ->
    [yes] 的检查全部通过
   *[no] 中 { $n } 个的检查全部通过
}
viewer-file = 文件 { $at }/{ $of }
viewer-hunk = 区块 { $at }/{ $of }
viewer-part = 部分 { $at }/{ $of }
report-since = ；与前一时段相比 { $by } 个百分点（{ $low } 至 { $high }）
insights-points = { $by } 个百分点（{ $low } 至 { $high }）
installation-units-minutes = { NUMBER($n) } 分钟
installation-now = 现在：{ $value }{ $isUsual ->
    [yes] 。
   *[no] ；主机的配置是{ $usual }。
}
board-run-tokensIn = { NUMBER($tokens) } 个 token，{ $seconds } 秒
board-run-proposerTotal = { $turns } 轮中被选中 { $chosen } 次，{ NUMBER($tokens) } 个 token{ GIVEN($usd) ->
    [yes] ，${ $usd }
   *[no] {""}
}

## Failures, and what waits

why-failures-agent_missing = 没有找到代理程序。请运行 `agentpr doctor`，安装后再重试。
why-failures-auth_missing = 缺少登录，或登录被拒绝。请在主机上修好（`agentpr doctor` 会指出是哪一个），然后重试。
why-failures-rate_limited = 模型提供方要求我们等待。
why-failures-quota_exhausted = 模型账号的额度已用完。请充值，然后重试。
why-failures-context_exceeded = 任务超出了模型的容量。请把目标改小，然后重试。
why-failures-model_unavailable = 模型没有回应。如果一直这样，请查看其提供商的状态页，然后重试。
why-failures-sandbox_denied = 沙箱拒绝了代理所需的操作。请看日志，然后重试。
why-failures-permission_denied = 权限被拒绝。请在日志里看是哪一项，修好后重试。
why-failures-env_missing = 机器缺少仓库所需的东西。请安装，然后重试。
why-failures-registry_unavailable = 软件源没有回应，或回应不正常。改动本身没有问题：会再试一次；如果仍然不行，请查看网络、代理服务器和该软件源的状态页，然后重试。
why-failures-registry_refused = 软件源或前往它的代理服务器拒绝了我们，或者这里不信任它的证书。改动本身没有问题：请检查这台机器的凭据、代理服务器和证书，然后重试。
why-failures-install_failed = 依赖安装失败：在基准分支上可以安装，这次改动也没有碰它读取的文件。请查看日志，然后重试。
why-failures-box_lost = 容器引擎或运行命令的机器在说明命令如何结束之前就失去了联系。改动本身没有问题：会再试一次。如果仍然不行，请查看那台机器，然后重试。
why-failures-session_lost = 代理丢失了它的对话，下次尝试会开始新的对话。
why-failures-bad_config = 代理拒绝了它的启动方式。请看日志，改好它的设置，然后重试。
why-failures-invalid_output = 代理结束时没有给出有效的报告。请重试，或换一个引擎。
why-failures-crashed = 这一步意外结束。
why-failures-timed_out = 这一步超时，已被停下。
why-failures-cancelled = 这一步已按要求停下。
why-failures-interrupted = 这一步因重启而中断。
why-failures-budget_exceeded = 这一步超出了它自己的限制。请看是哪一项，然后重试。
why-failures-price_unknown = 任务的费用有上限，而它的模型价格未知。请写明价格、取消上限，或换一个模型。
why-failures-no_changes = 代理什么都没有改。请把目标说得更清楚，然后重试。
why-failures-checks_failed = 仓库的检查没有通过。请看日志，然后重试。
why-failures-push_rejected = 代码托管平台拒绝了推送。请看原因，然后重试。
why-failures-policy_denied = 有策略禁止这个改动。用 `/detail` 查看是哪一条。
why-failures-repository_missing = 没有找到仓库，或我们的凭据不能读取它。请授予访问权限后重试，或用正确的名称新建任务。
why-failures-repository_archived = 仓库已归档。所有者重新开放后可以重试，也可以取消任务。
why-failures-not_allowed = 仓库不接受我们的推送、fork 或拉取请求。请联系其所有者后重试，或取消任务。
why-failures-revert_impossible = 这个拉取请求无法在这里还原。
why-failures-base_missing = 仓库没有这个基准分支。请用 `base=` 指定存在的分支，新建任务。
why-failures-repository_empty = 仓库还没有任何提交。请先推送一个，再新建任务。
why-failures-unsafe_workspace = 代理留下的内容无法安全地提交。请看发现的问题。
why-failures-bad_repository_file = 仓库的 `.agentpr.json` 无法读取。请在它的基准分支上改好，然后重试。
why-failures-repository_unreadable = 没能在限制之内读完仓库，不会自动再读。请查看那个文件，然后重试，或取消任务。
why-failures-transfer_refused = 另一个工作进程为这个任务保留的内容已不是原来的内容，所以没有使用，重试的结果也一样。请取消任务并重新下达。
why-failures-bucket_unavailable = 存放这个任务所需内容的存储桶无法使用。在主机上运行 `agentpr doctor` 可查看原因。
why-failures-disk_full = 磁盘已满。请腾出空间，然后重试。
why-failures-seal_moved = 你批准的内容与现在会发布的不同，所以没有创建拉取请求。
why-failures-readback_mismatch = 代码托管平台显示的与批准的不同。继续之前请先查看。
why-failures-forge_unavailable = 代码托管平台没有回应。
why-failures-forge_refused = 代码托管平台拒绝了请求。请看原因，然后重试。
why-failures-chat_unavailable = 聊天服务没有回应。
why-failures-chat_refused = 聊天服务拒绝了消息。请看原因，然后重试。
why-failures-merge_queue = 拉取请求在合并队列中，离开后会推送修复。
why-failures-pull_limit = 仓库目前不接受我们创建更多拉取请求。
why-failures-account_suspended = 代码托管平台暂停了我们的账号。请联系它的支持人员，或请暂停我们 App 的人解除。
why-failures-certificate_untrusted = 这台机器不信任对方的证书。请在 NODE_EXTRA_CA_CERTS 中写明公司证书颁发机构的文件，然后重试。
why-failures-proxy_refused = 本网络的代理服务器拒绝了我们。请检查 HTTPS_PROXY 和 NO_PROXY，然后重试。
why-until = 下次尝试：{ $time }。
why-waiting-since = 从 { $time } 起一直在等模型提供方。任务会自动继续。
why-waiting-host = 从 { $time } 起一直在等代码托管平台。任务会自动继续。
why-waiting-others = 另有 { $n } 个任务也在等。
why-waiting-check = 如果它的服务或地址变了，请在主机上修改设置，然后 /retry。
why-undone-title = 编辑已还原
why-undone-guard = 这一轮不允许改文件，代理的编辑已被还原。
why-undone-plan = 这一步不允许改计划，它对计划的编辑已被还原。
why-undone-disk = 代理写满了磁盘。为腾出空间，它尚未提交的编辑已被删除。
why-undone-missing = 任务的工作区不见了。代理从上一次提交重新开始。
why-undone-other_commit = 工作区已换到另一个提交，这些尚未提交的编辑不在了。
why-undone-taken_back = 有人撤回了代理的上一次改动。
why-undone-fresh_workspace = 仓库已重新读取，这些早先的编辑不在工作区里了。
why-undone-more = … 另有 { $n } 个文件
why-undone-told = 代理会得知此事。
why-repeated-title = 重复同一条命令
why-repeated-line = 代理最近 { NUMBER($of) } 次调用中有 { NUMBER($times) } 次相同：
why-repeated-open = 代理仍在工作。只有点“停止”才会停下。
why-repeated-over = 代理已不再做这件事。
why-repeated-stopped = 任务已停止。需要时可以恢复。
why-repeated-left = 让它继续。本轮不再提醒。
why-repeated-stop = 停止
why-repeated-goOn = 让它继续

## Budgets

budgets-names-time = 代理与检查的时间
budgets-names-tokens = token 用量
budgets-names-cost = 费用
budgets-names-output = 代理与检查的输出
budgets-names-iterations = 创建拉取请求后的修复
budgets-names-fixes = 单个步骤的修复
budgets-amounts-tokens = { NUMBER($n) }
budgets-amounts-output = { $n } MB
budgets-title = 至今已用
budgets-atMost = 最多 { $amount }
budgets-bound = 有一个进程在模型回答之前被终止，所以它最后的请求按最大用量计算。
budgets-line = { $name }：{ $used } / { $limit }，还剩 { $left }
budgets-untold = 未知（不知道这个模型的价格）
budgets-open = { $name }：{ $used }，没有上限
budgets-split = token：读 { $input }，写 { $output }
budgets-raiseWith = 提高预算：{ $form }
budgets-wider = 只有审批人可以给一次任务超出常规的预算（{ $name }）。
budgets-near = 预算已用 { $share }%：{ $name }
budgets-raise = 提高到 { $amount }
budgets-raised = 已记录：{ $label } 可以用到 { $limit }（{ $name }）。
budgets-lift = 不设费用上限
budgets-lifted = 已记录：{ $label } 不再有这一项的上限（{ $name }）。
budgets-pricesOf = 费用按价目表 { $list } 计算；自己写明的价格（gateway.prices）优先。

## Commands

commands-does-status = 总览，以及最需要你处理的事
commands-does-pending = 所有等人处理的事
commands-does-new = 发起一个改动
commands-does-batch = 对许多仓库做同一个改动：先看预览
commands-does-adopt = 让批次跟踪在别处创建的拉取请求
commands-does-campaign = 批次的进展；可以暂停、继续、关闭或撤销
commands-does-runs = 最近的任务
commands-does-report = 任务的花费：时间、修复、点击与人工耗时，按组统计
commands-does-cost = 代理今天和本月花了多少：按人和用途统计，并对照限额
commands-does-insights = 什么最耗人工，以及可以改什么
commands-does-board = 网页看板的链接：每个任务、改动与统计
commands-does-passkey = 你自己的通行密钥：注册、查看、吊销
commands-does-detail = 一个任务的全部情况
commands-does-diff = 查看改动：整个文件，或逐页
commands-does-log = 代理或检查最近一次的输出
commands-does-plan = 对仓库了解到的规则与检查
commands-does-revoke = 撤销本任务中允许的命令，让代理重新询问
commands-does-budget = 已用与剩余；审批人可以提高
commands-does-approve = 按最新的卡片创建拉取请求
commands-does-deny = 拒绝卡片上的内容，并说明原因
commands-does-changes = 要求修改卡片上的改动，代理随即继续
commands-does-ask = 就改动问代理一个问题，改动保持不变
commands-does-take_back = 回到要求修改之前的那张卡片
commands-does-edit = 修改卡片上的标题或描述
commands-does-keep = 停止代理，并检查已有的改动
commands-does-drop = 停止代理，并丢弃上次推送之后的改动
commands-does-tell = 在代理工作时对它说话
commands-does-fix = 让代理修改打开的拉取请求
commands-does-retry = 失败后继续，可附上要告诉代理的话
commands-does-without = 跳过在这里无法运行的检查，继续进行
commands-does-update = 把基准分支合并到改动里
commands-does-take = 从别人推送的提交继续
commands-does-overrule = 说明某条禁令说的是别的事，并给出理由
commands-does-pause = 停下代理，保留一切
commands-does-resume = 暂停后继续
commands-does-cancel = 彻底结束一个任务
commands-does-skip = 放弃不需要的任务
commands-does-open = 不等创建时段，现在就创建已批准的拉取请求
commands-does-post_link = 把拉取请求的链接发到指令的来源处
commands-does-done = 把任务标记为完成
commands-does-settings = 语言、免打扰时段、签署，以及新任务的设置
commands-does-users = 谁可以做什么
commands-does-set_aside = 我放弃或搁置的东西；可重试或丢弃
commands-does-notes = 告诉仓库每个代理的备注；可保留、修改或忘记
commands-does-help = 按主题介绍我能做什么
commands-does-greet = 我是谁，你可以做什么
commands-args-limit = [raise <限额> | month $100]
commands-args-order = owner/name 要改什么  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" install=none branch=… title="…" draft=until_green label=… reviewer=… assignee=… milestone=…]
commands-args-about = [7d|12w|all] [engine|ecosystem|repository|prompt|campaign] [file]
commands-args-list = owner/name owner/name … 要改什么  [/new 的选项]
commands-args-id = [批次]
commands-args-key = [revoke 密钥]
commands-args-row = [retry|drop 编号]
commands-args-note = [owner/name [add 内容 | 编号 新内容 | forget 编号]]
commands-args-undo = [undo]
commands-args-pulls = [批次] 拉取请求的链接
commands-args-period = [7d|12w|all]
commands-args-part = [low]
commands-args-topic = [主题]
commands-args-payload = [代码]
commands-args-step = [步骤]
commands-args-raise = [time|tokens|cost|… +数量]
commands-args-confirm = --confirm
commands-args-final = [--final]
commands-args-reason = [原因]
commands-args-words = title="…" description="…"
commands-args-instruction = 要做什么
commands-args-told = 要说的话
commands-args-target = [状态]
commands-args-advice = [要告诉代理的话]
commands-args-sha = [提交]
commands-args-setting = [language en|zh|auto | signoff 姓名 <邮箱> | quiet 22:00-07:30 Asia/Shanghai | log | 名称 值]
commands-args-what = 问的是什么
commands-args-text = 你的问题
commands-args-change = [add <数字id> <角色> [名字] | remove <数字id> | invite [角色] | signout <数字id>]
commands-topics-look = 查看进展
commands-topics-ask = 提出改动
commands-topics-decide = 做决定
commands-topics-steer = 控制任务
commands-topics-installation = 成员与设置
commands-run = <任务>

## When GitHub cannot be read

sight-title-none = 读不到 GITHUB
sight-title-some = 有一部分读不到
sight-title-again = 又能读到 GITHUB 了
sight-last = 上次查看
sight-since = 看不到，始于
sight-runs = { $n } 个任务在等待：
sight-goesOn = AgentPR 会继续查看。期间发生的事到时会知道；没有看到之前，什么都不算通过。

## Parts of a poll

sight-parts-pull = 拉取请求
sight-parts-branch = 分支
sight-parts-checks = 检查
sight-parts-reports = 检查运行（check runs）
sight-parts-statuses = 提交状态
sight-parts-jobs = Actions 的运行
sight-parts-rules = 基准分支的规则
sight-parts-reviews = 评审
sight-parts-comments = 评论

## As GitHub's settings page for tokens names them

sight-permissions-pull = Pull requests
sight-permissions-branch = Contents
sight-permissions-checks = Checks
sight-permissions-reports = Checks
sight-permissions-statuses = Commit statuses
sight-permissions-jobs = Actions
sight-permissions-rules = Contents
sight-permissions-reviews = Pull requests
sight-permissions-comments = Issues

## Results of checks

checkWhys-unseen = {""}
checkWhys-silent = 还没有任何检查报告
checkWhys-failed = “{ $name }”失败了{ checkWhysParts-required }
checkWhys-missing = 在等必需的检查“{ $name }”，已经 { $since }没有报告
checkWhys-imitated = 在等必需的检查“{ $name }”：报告它的不是规定的应用，已经 { $since }没有等到
checkWhys-runs = 在等“{ $name }”{ checkWhysParts-required }，还没有结束
checkWhys-awaits_maintainer = { GIVEN($name) ->
        [yes] “{ $name }”在等维护者
       *[no] 需要维护者按下“Approve and run”
    }
checkWhys-stale = “{ $name }”一直没有结束，GitHub 在 14 天后放弃了它。请在 GitHub 上重新运行。
checkWhys-settles = 已报告的都通过了；AgentPR 会再看一次
checkWhys-unread = 有些读不到
checkWhys-unsure = 分支要求“{ $name }”，AgentPR 无法判断：请到 GitHub 上看
checkWhys-skipped = 必需的“{ $name }”被跳过了；GitHub 把它算作通过
checkWhys-none_ran = 没有一个真正运行：都被跳过，或者没有结论
checkWhys-queue = 合并前，合并队列会再运行一次检查

## Commands that cannot be used

problems-flag = { $flag } 不是这个命令的选项。
problems-state = { $text } 不是一个状态。
problems-repo = { $text } 不是我能处理的仓库；请写成 owner/name，或粘贴它的链接。
problems-pull = { $text } 不是拉取请求的链接。
problems-pulls = 一个批次最多跟踪 { $most } 个拉取请求。
problems-branch = { $text } 不是 git 接受的分支名。
problems-language = 我不会说 { $text }。
problems-user = { $text } 不是用户的 id；/settings 会显示你自己的。
problems-amount = { $text } 不是数量；请写一个数，或用 +数 表示再加多少。
problems-label = { $text } 不是标签：最多 20 个，每个一行，不超过 50 个字符。
problems-milestone = { $text } 不是里程碑的名称。
problems-account = { $text } 不是账号或团队（组织/团队）的名称。
problems-no_list = 请写出仓库：owner/name，每行一个，或用空格隔开；也可以查找：org:acme、team:acme/web、repos:"topic:cli user:ana"、code:"filename:.nvmrc org:acme"。
problems-queries = 查找超过 { $most } 条；请分成几个批次。
problems-query = { $text } 不能用来查找仓库；可以写 org:<名称>、team:<组织>/<团队>、repos:<搜索> 或 code:<搜索>。
problems-query_quote = 这条查找里的引号没有闭合：{ $text }
problems-list_long = 仓库超过 { NUMBER($most) } 个；请分成几个批次。
problems-line = 第 { $line } 行没有写出仓库：{ $text }
problems-line_more = 第 { $line } 行除了仓库还有别的内容：{ $text }。表格的第一行要写列名：repo,team
problems-file_long = 文件超过 { NUMBER($most) } 字节。
problems-file_yaml = 文件第 { $line } 行不是有效的 YAML：“{ $says }”。
problems-file_documents = 文件从第 { $line } 行起是第二个文档；一个文件只能写一个批次。请删掉 --- 这一行，或把后面的内容另存为一个文件。
problems-file_twice = 文件第 { $line } 行的键前面已经写过；请删掉其中一个。
problems-file_deep = 文件第 { $line } 行嵌套太深；批次文件只需要几层。
problems-file_alias = 文件第 { $line } 行引用了文件的另一处；请直接写出值。
problems-file_key = 文件第 { $line } 行：{ FILLED($at) ->
        [yes] { $at } 里
       *[no] {""}
    }没有 { $key } 这一项。{ keysParts-instead }
problems-file_quote = 文件第 { $line } 行：YAML 不会把“{ $value }”读作一段文字。请加引号：{ $key }: { $quoted }
problems-file_faults = { LIST($all, by: "\u000A") }{ $more ->
        [0] {""}
       *[other] {"\u000A"}还有 { NUMBER($more) } 处。
    }
problems-file_repo = 文件第 { $line } 行：第 { $at } 个仓库写得不对：{ $text }
problems-file_fixes = 每个修复都要有标题，并且要么都写目标，要么都写脚本。有 fixes 时，旁边不能再写脚本，只能用一个引擎，也不能用 flow: plan。
problems-file_after_self = 文件第 { $line } 行：{ $repo } 不能排在自己之后。请去掉它。
problems-file_after_unknown = 文件第 { $line } 行：{ $repo } 不在 repositories 里。请在那里列出，或从 after 中去掉。
problems-file_after_twice = 文件第 { $line } 行：{ $repo } 写了两次。请去掉一个。
problems-file_circle = 文件第 { $line } 行：这些仓库互相等待，谁也开始不了：{ $way }。请去掉其中一个 after。
problems-file_scripts = 只要有一个仓库有自己的 script，就每个都要有，或由文件给出其余仓库的 script。
problems-file_repos = 文件里既没有 repositories 也没有 query。
problems-file_goal = 文件里既没有 goal，也没有 script。
problems-file_engine = 有 script 就不需要 engine；请去掉其中一个。
problems-file_script = 脚本要在主机上给出：请在那里用这个文件运行 agentpr campaign plan。这里写 engine: script 会运行主机自己的脚本。
problems-file_text = 这个文件不是纯文本。
problems-file_hard = 读取这个文件太费时间；请把它缩短或简化。
problems-file_gone = 无法从聊天中取得文件。请重新发送；最多 1 MB。
problems-file_words = 批次文件里什么都写了；请只带 /batch 发送。
problems-variable = { $repo } 没有给出 {"{{"}{ $name }{"}}"}。如果它不是变量、要原样保留，请写成 {"{{{{"}{ $name }{"}}}}"}。
problems-variable_taken = {"{{"}{ $name }{"}}"} 是仓库自身名称的一部分，而 { $repo } 给了它另一个值。请给变量换个名字。
problems-misplaced = { $repo } 的 {"{{"}{ $name }{"}}"} 含有在该位置无法安全加引号的字符：在注释里，在反斜杠、命令替换或 here-document 之后，或在由另一个 shell 执行的文本里。请把 export { $shellName }={"{{"}{ $name }{"}}"} 写在第一行，那里改用 "${ $shellName }"；由另一个 shell 执行时放在单引号内。
problems-no_variable = { $text } 会原样公开：它不是变量。变量名由字母、数字、- 和 _ 组成。要原样保留，请写成 {"{{{{"} … {"}}}}"}。
problems-variable_long = { $repo } 的 {"{{"}{ $name }{"}}"} 超过了 { NUMBER($most) } 个字符；请在列表里写短一些。
problems-column = 无法填入 {"{{"}{ $name }{"}}"}：请改列名，以字母开头，只用字母、数字、- 和 _。
problems-no_goal = 请说明要改什么。
problems-no_instruction = 请说明要修什么。
problems-no_words_to_ask = 请说明想知道什么。
problems-sign_off = { $wrong ->
        [form] {""}
        [name] 名字只有标点，或含有 @ 或看不见的字符。
       *[address] < 和 > 之间不是邮箱地址。
    }请这样写自己的名字和地址：姓名 <邮箱>。
problems-value = { $option }= 需要一个值。
problems-twice = { $option }= 给了两次。
problems-quote = { $option ->
        [goal] 目标前面的引号没有闭合。
       *[other] { $option }= 后面的引号没有闭合。引号之内的引号前面要加反斜杠：\"
    }
problems-option = 没有选项 { $option }=。{ GIVEN($near) ->
        [yes] 是想写 { $near }= 吗？
       *[no] 现有：{ $all }。
    }如果它属于目标，请把整个目标放进“引号”里。
problems-setting = 没有设置 { $text }。{ GIVEN($near) ->
        [yes] 是想写 { $near } 吗？
       *[no] 现有：{ $all }。
    }
problems-zone = 没有时区 { $zone }。{ GIVEN($near) ->
        [yes] 是想写 { $near } 吗？
       *[no] 请写成 Asia/Shanghai 或 UTC 这样。
    }
problems-choice = { $setting } 不能是 { $text }；可以是：{ $all }。
problems-bounds = { $setting } 不能是 { $text }；请写 { NUMBER($least) } 到 { NUMBER($most) } 之间的数{ $off ->
        [yes] ，或 off
       *[no] {""}
    }。
problems-flow = { $text } 不是工作方式；现有：{ $all }。
problems-discovery = { $text } 不能读取仓库；现有：{ $all }。
problems-install = install= 不能是 { $text }；可以是：{ $all }。
problems-draft = draft= 不能是 { $text }；可以是：{ $all }。
problems-engine = { $text } 不是引擎；现有：{ $all }。
problems-no_engine = 还没有选择引擎，没有代理能做这项工作。在主机上运行 agentpr init 可以找到已安装的代理，或在 .env 里用 AGENTPR_ENGINE 指定一个；也可以在命令里指定：engine=codex。
problems-engines = 多个提议者：最多三个不同的，用逗号分隔，例如 codex,claude 或 builtin:<模型>,builtin:<模型>。多个引擎不能与 flow=plan 同用。
problems-proposers = { $text } 的冒号后面不能写模型；可以这样写的有：{ $all }。不写冒号时，几个引擎轮流尝试同一个目标。
problems-reported = 报告中没有“{ $text }”；可用：{ $all }。
problems-prompt_version = 没有提示词版本 { $text }；现有：{ $all }。
problems-role = { $text } 不是角色；现有：{ $all }。
problems-budget = { $text } 不是预算；现有：{ $all }。
problems-long = { $what ->
        [reason] 原因
        [advice] 要告诉代理的话
        [title] 标题
        [description] 描述
        [goal] 目标
        [question] 问题
       *[instruction] 要做的事
    }超过了 { NUMBER($most) } 个字符。

## Findings in a change

findings-secret = 疑似密钥
findings-exposed_credential = 代理使用的密钥
findings-likely_secret = 可能是密钥
findings-hidden_line = 因隐藏密钥而没有原样显示的行
findings-bidi_text = 屏幕顺序被篡改的文字
findings-hidden_text = 看不见的字符
findings-mixed_script = 一个词里混有多种文字
findings-look_alike = 以假乱真的字符
findings-long_line = 过长而无法阅读的行
findings-line_endings_only = 只改了行尾
findings-whitespace_only = 只改了空白
findings-unseen_change = 前后看起来一样的行
findings-test_removed = 测试被删除
findings-test_skipped = 测试被跳过
findings-test_weakened = 测试被削弱
findings-nested_repository = 仓库里嵌套着仓库
findings-special_file = 特殊文件
findings-hard_link = 硬链接
findings-bad_name = 不可用的文件名
findings-too_large = 过大而略去
findings-not_read = 没有读过
findings-symlink_escape = 指向仓库之外的链接
findings-lfs_pointer = Git LFS 指针
findings-lfs_raw = 应存入 Git LFS
findings-filter_raw = 未经过滤器处理的内容
findings-skipped_ignored = 被忽略而略去
findings-agent_git = 代理的 Git 操作

## What a finding is about

findingNotes-not_text = 不是 UTF-8 文本的字节
findingNotes-scripts_mixed = 一个词里混有形似的字母
findingNotes-scripts_mixed_in_name = 名字的一个词里混有形似的字母
findingNotes-stored_elsewhere = 内容本身存放在别处
findingNotes-own_bytes = 是内容本身，不是指针
findingNotes-test_file_deleted = 一个测试文件被删除
findingNotes-only_line_ends = 只有行尾不同
findingNotes-only_whitespace = 只有空白不同
findingNotes-looks_same = 有些行前后看起来一样
findingNotes-as_plain_files = 其中的文件按普通文件提交
findingNotes-worktree_skipped = 仓库的第二个工作副本被略去
findingNotes-submodule_skipped = 放进子模块的内容被略去
findingNotes-linked_from_outside = 它和改动之外的某个文件是同一个文件，因此略去
findingNotes-name_not_text = 名字不是有效的 UTF-8
findingNotes-name_like_git = 这个名字在某些系统上等同于 .git
findingNotes-name_modules_link = .gitmodules 不可以是符号链接
findingNotes-name_unseen = 名字里有控制字符或看不见的字符
findingNotes-name_backslash = 名字里有反斜杠，在某些系统上表示目录
findingNotes-exposed_credentials = { LIST($names, by: ", ") }
findingNotes-character = 看不见的字符或控制字符 { $code }
findingNotes-reads_as = 看起来是“{ $as }”，实际写的是 { LIST($characters, by: ", ") }
findingNotes-characters = 这一行有 { $count } 个字符
findingNotes-bytes = 它有 { $bytes } 字节{ $skipped ->
        [yes] ，因此略去
       *[no] {""}
    }
findingNotes-test_cases = 测试用例从 { $was } 个变为 { $is } 个
findingNotes-skipped_tests = 跳过的测试从 { $was } 个变为 { $is } 个
findingNotes-assertions = 断言从 { $was } 个变为 { $is } 个
findingNotes-hidden_in = 隐藏于 { $added } 个新增行、{ $removed } 个删除行和 { $other } 个其他行
findingNotes-leads_to = 它指向 { $target }
findingNotes-same_name = 在某些系统上它和 { $as } 同名；请给其中一个改名
findingNotes-special = 它是{ $is ->
        [pipe] 命名管道
        [socket] 套接字
       *[device] 设备或其他特殊文件
    }；请删除
findingNotes-too_deep = 目录嵌套超过 { $limit } 层；请删除
findingNotes-too_many = 新文件超过 { $limit } 个；请删除不属于改动的文件
findingNotes-unreadable = 有文件或目录无法读取（{ $code }）；请删除
findingNotes-ignored = 略去了仓库忽略的 { $count } 个文件或目录
findingNotes-agent_stashed = 代理把改动放进了 { $count } 个贮藏（stash），这些改动被略去
findingNotes-agent_committed = 代理自己做了 { $count } 个提交；其中的文件在这次改动里，提交说明不在
findingNotes-agent_pushed = 代理向沙箱内的仓库推送了 { $count } 次；没有任何内容离开沙箱

## Kinds of secrets

secretNames-access_key = 访问密钥
secretNames-access_token = 访问令牌
secretNames-address_password = 网址里的密码
secretNames-api_key = API 密钥
secretNames-bot_token = 机器人令牌
secretNames-client_secret = 客户端密钥
secretNames-header_credential = 请求头里的凭据
secretNames-key = 密钥
secretNames-named_secret = 带名称的密钥
secretNames-password = 密码
secretNames-private_key = 私钥
secretNames-refresh_token = 刷新令牌
secretNames-registry_credential = 软件源的凭据
secretNames-registry_token = 软件源的令牌
secretNames-secret_key = 密钥
secretNames-signed_address = 带签名的网址
secretNames-signed_token = 带签名的令牌
secretNames-storage_key = 存储密钥
secretNames-token = 令牌
secretNames-webhook = webhook 地址
secretNames-webhook_secret = webhook 密钥

## What a bucket did

bucketRefusals-unreached = 无法连接
bucketRefusals-other_region = 位于另一个区域
bucketRefusals-request_refused = 没有接受请求：请检查区域设置
bucketRefusals-key_refused = 拒绝了密钥，或该密钥没有这项权限
bucketRefusals-missing = 不存在
bucketRefusals-failed = 出错
bucketRefusals-open_to_all = 任何人都可以列出其内容：请取消这项权限
bucketRefusals-broke_off = 传输中断，或返回的内容比存入的多
bucketRefusals-other_bytes = 返回的字节与存入的不同

## What failed in particular

failureDetails-push_refused = { GIVEN($says) ->
        [yes] 对方说：{ $says }
       *[no] 对方没有说明原因
    }
failureDetails-check_killed = `{ $command }` 被机器终止（137），可能是内存不足。这不是代理的问题：请腾出内存后重试
failureDetails-branch_moved = 代码托管平台上的分支已不在我们上次推送的位置{ failureDetailsParts-said }
failureDetails-branch_name_refused = 对方不接受这个分支名{ failureDetailsParts-said }
failureDetails-push_credential_refused = 代码托管平台拒绝了我们用于推送的凭据{ failureDetailsParts-said }
failureDetails-push_forbidden = 代码托管平台不允许我们推送{ failureDetailsParts-said }
failureDetails-push_too_large = 推送的内容超过代码托管平台或其前面代理服务器的大小上限（413）；管理它的人可以提高上限
failureDetails-branch_differs = { $branch } { GIVEN($found) ->
        [yes] 位于 { $found }
       *[no] 不存在
    }，应位于 { $expected }
failureDetails-own_key = 有策略要求审批人用自己的通行密钥，但{ $why ->
        [too_few] 用通行密钥签了这份内容的人还不够
        [unknown_key] 有一个密钥没有登记，或已吊销
        [untrusted_key] 有一个密钥不在运维者的 approvalKeys 里
       *[wrong_signature] 有一个签名签的不是将要发布的内容
    }
failureDetails-branch_missing = { $repo } 没有名为“{ $branch }”的分支
failureDetails-no_space_left = {""}
failureDetails-data_disk_full = 数据目录所在的磁盘已满，无法再存入新内容；已确认的内容是安全的
failureDetails-mirrors_full = 未结束任务的仓库占用 { NUMBER($used, maximumFractionDigits: 0) } MB 磁盘，而 mirrors.diskMb 只允许 { NUMBER($limit, maximumFractionDigits: 0) } MB；请结束其中一些任务，或提高上限
failureDetails-checkout_exceeds_disk = 仓库的文件占用 { NUMBER($used, maximumFractionDigits: 0) } MB，而一个工作区最多可用 { NUMBER($limit, maximumFractionDigits: 0) } MB，即磁盘剩余空间的一半；如果信任该仓库，请释放一些空间
failureDetails-disk_nearly_full = 数据目录所在磁盘剩余不足 { NUMBER($limit, maximumFractionDigits: 0) } MB
failureDetails-memory_exceeded = 内存用量超过 { NUMBER($limit, maximumFractionDigits: 0) } MB（sandboxLimits.memoryMb）
failureDetails-memory_ran_out = 内存耗尽；一个任务最多可用 { NUMBER($limit, maximumFractionDigits: 0) } MB（sandboxLimits.memoryMb）
failureDetails-processes_exceeded = 启动的进程和线程超过 { NUMBER($limit, maximumFractionDigits: 0) } 个（sandboxLimits.processes）
failureDetails-processes_ran_out = 无法再启动进程；一个任务最多可有 { NUMBER($limit, maximumFractionDigits: 0) } 个进程和线程（sandboxLimits.processes）
failureDetails-disk_exceeded = 写入磁盘超过 { NUMBER($limit, maximumFractionDigits: 0) } MB（sandboxLimits.diskMb）
failureDetails-output_exceeded = 输出超过了 { NUMBER($limit, maximumFractionDigits: 0) } MB（sandboxLimits.outputMb）；请减少输出
failureDetails-run_disk_nearly_full = 磁盘剩余不足 { NUMBER($limit, maximumFractionDigits: 0) } MB，或可用的文件数太少
failureDetails-engine_disk_nearly_full = { $place } 所在的磁盘（容器引擎在那里存放镜像和容器）剩余不足 { NUMBER($limit, maximumFractionDigits: 0) } MB，或可用的文件数太少；请在那里腾出空间
failureDetails-engine_missing = { failureDetailsParts-program }不存在{ failureDetailsParts-because }
failureDetails-engine_not_executable = { failureDetailsParts-program }没有执行权限{ failureDetailsParts-because }
failureDetails-engine_not_started = { failureDetailsParts-program }无法启动{ failureDetailsParts-because }
failureDetails-box_not_started = 沙箱无法启动{ failureDetailsParts-because }
failureDetails-box_without_git = 代理 builtin 需要 git，而它的沙箱里没有；使用容器时，请选择带有 git 的镜像（containers.agentImage）
failureDetails-engine_timed_out = { NUMBER($seconds, maximumFractionDigits: 0) } 秒后达到时限（bounds.runMs），已停止
failureDetails-handling_stopped_process = 这一步两次让 AgentPR 停了下来，因此已搁置；等它所读取的内容改变后再重试
failureDetails-engine_stopped = 已按要求停止
failureDetails-engine_too_loud = 输出过多，已停止；请让它少输出一些
failureDetails-engine_exited = { GIVEN($exitCode) ->
        [yes] 退出码 { $exitCode }
       *[no] 没有退出码
    }{ failureDetailsParts-because }
failureDetails-engine_killed = 被{ GIVEN($signal) ->
        [yes] 信号 { $signal }{" "}
       *[no] 信号
    }终止{ failureDetailsParts-because }
failureDetails-engine_arguments_refused = { failureDetailsParts-program }不接受启动它的方式{ failureDetailsParts-because }
failureDetails-conversation_unknown = { failureDetailsParts-program }已不认识这次对话{ failureDetailsParts-because }
failureDetails-permission_undecided = 代理请求许可，需要由人决定
failureDetails-provider_closed = 模型提供方暂时不接受请求
failureDetails-usage_limit_reached = 已达用量上限
failureDetails-model_key_missing = 没有设置模型的密钥：请设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY，或自有模型的地址（OPENAI_BASE_URL、ANTHROPIC_BASE_URL）
failureDetails-model_unnamed = 没有指定模型：请在 agentpr.config.json 中设置 "engines": {"{"}"builtin": {"{"}"args": ["-m", "<model>"]{"}}"}，或设置 OPENAI_MODEL 或 ANTHROPIC_MODEL
failureDetails-run_tokens_used_up = 这个任务最多可用 { NUMBER($limit, maximumFractionDigits: 0) } 个 token（maxTokens）
failureDetails-spending_used_up = 涵盖多个任务的预算已用完（budgets）
failureDetails-run_cost_used_up = 这个任务的费用上限为 ${ $limit }（maxCostUsd）
failureDetails-model_requests_exceeded = 代理在一轮中向模型请求了 { NUMBER($limit, maximumFractionDigits: 0) } 次（gateway.requests）
failureDetails-model_requests_too_fast = 代理在一分钟内向模型请求了 { NUMBER($limit, maximumFractionDigits: 0) } 次（gateway.perMinute）
failureDetails-model_call_repeated = 代理连续 { NUMBER($limit, maximumFractionDigits: 0) } 次发出同样的调用（gateway.identical）
failureDetails-price_unnamed = 不知道{ GIVEN($model) ->
        [yes] 模型 { $model }{" "}
       *[no] 这个模型
    }的价格：请在 agentpr.config.json 的 "gateway.prices" 中写明，或取消费用上限（maxCostUsd）
failureDetails-app_has_no_forks = 我们的凭据不能推送到 { $repo }，而 GitHub App 不能有 fork；请在那里安装它并给予写权限，或设置令牌
failureDetails-fork_refused = 无法 fork { $repo }{ failureDetailsParts-because }；任务需要推送权限，或允许 fork
failureDetails-forks_not_allowed = 我们的凭据不能推送到 { $repo }，而设置不允许 fork（forks.use）
failureDetails-fork_of_own = 我们的凭据不能推送到 { $repo }，而 { $owner } 不能 fork 自己的仓库
failureDetails-repository_forbids_forks = { $repo } 不允许 fork，而{ $mayPush ->
        [yes] 设置要求使用 fork
       *[no] 我们的凭据不能推送到 { $repo }
    }
failureDetails-fork_deleted = 这个任务推送的 fork { $fork } 已不存在；重试会新建一个并再次推送
failureDetails-fork_unrelated = 平台给出的 { $fork } 并不是 { $repo } 的 fork；请将它改名或删除，然后重试
failureDetails-fork_stays_empty = 新的 fork { $fork } 五分钟后仍是空的；请到代码托管平台查看，然后重试
failureDetails-stored_by_others = 账本中这个任务的工作区不是 AgentPR 写入的：有别人在写数据库
failureDetails-stored_bytes_differ = 存储桶返回的工作区字节与存入的不同
failureDetails-stored_parts_missing = 这个任务的工作区缺少部分内容
failureDetails-stored_start_lost = 分支“{ $branch }”已没有这个任务开始时的提交，因此无法在别处继续
failureDetails-chat_unreached = 无法连接 { GIVEN($service) ->
        [yes] { $service }
       *[no] Telegram
    }；会自动重试
failureDetails-chat_refused = { GIVEN($service) ->
        [yes] { $service }
       *[no] Telegram
    } 拒绝了这条消息{ failureDetailsParts-because }
failureDetails-chat_token_unknown = { GIVEN($service) ->
        [yes] { $service } 不接受我们的令牌{ failureDetailsParts-because }；请检查 SLACK_BOT_TOKEN 和 SLACK_APP_TOKEN
       *[no] Telegram 不认识我们的机器人令牌；请检查 TELEGRAM_BOT_TOKEN
    }
failureDetails-revert_unmerged = { $pull } 没有合并，没有可以还原的；请取消这个任务
failureDetails-revert_unreachable = 合并 { $pull } 的提交已不在 { $branch } 的历史中（历史被改写过）。请手动还原剩下的部分，或取消这个任务
failureDetails-revert_unclear = git 无法判断分支上的哪些提交属于 { $pull }：它不是完整的合并、压缩或变基。请手动还原，或取消这个任务
failureDetails-revert_needs_agent = { $pull } 的还原有冲突、未通过检查或被退回，脚本无法处理。请用 /settings 设置引擎后再次撤销批次，或取消这个任务
failureDetails-no_failed_check = 没有我们能重新运行的失败检查；请在 GitHub 上重新运行
failureDetails-host_failed = 代码托管平台出错（{ $status }）{ failureDetailsParts-because }
failureDetails-host_refused = 代码托管平台拒绝了请求（{ $status }）{ failureDetailsParts-because }
failureDetails-host_not_found = 代码托管平台找不到它，或不让我们看到它{ failureDetailsParts-because }
failureDetails-host_credential_refused = 代码托管平台拒绝了我们的凭据{ failureDetailsParts-because }；请检查 GITHUB_TOKEN 或 GitHub App 的密钥
failureDetails-host_answer_unreadable = 代码托管平台的回答不是它的 API 的格式

## Refusals of the code host, and ways that are closed

hostRefusals-sign_on_required = { hostRefusalsParts-owner }要求我们的令牌通过单点登录（SSO）授权。{ GIVEN($url) ->
        [yes] 请打开 { $url } 为它授权。
       *[no] 请在令牌所属账号的设置中，点击令牌旁的“Configure SSO”为它授权。
    }
hostRefusals-address_not_allowed = { hostRefusalsParts-owner }只允许其 IP 允许列表中的地址访问，而这台机器的地址不在其中。请让其所有者添加，或换一个在列表中的地址运行 AgentPR。
hostRefusals-app_not_approved = { hostRefusalsParts-owner }没有批准我们的令牌所属的 OAuth 应用。请让其所有者批准，或改用个人访问令牌或 GitHub App。
hostRefusals-classic_token_forbidden = { hostRefusalsParts-owner }禁止使用经典（classic）个人访问令牌。请把 GITHUB_TOKEN 设为细粒度令牌，或请对方安装 GitHub App。
hostRefusals-fine_grained_token_forbidden = { hostRefusalsParts-owner }禁止使用细粒度（fine-grained）个人访问令牌。请把 GITHUB_TOKEN 设为经典令牌，或请对方安装 GitHub App。
hostRefusals-right_missing = 我们的凭据缺少这项权限。`agentpr doctor` 会列出已有的权限；需要哪些见 docs/github.md。
hostRefusals-workflow_right_missing = 我们的凭据不能修改工作流文件。请给经典令牌加上 `workflow` 范围；细粒度令牌或 GitHub App 则需要 Workflows 的写权限。
hostRefusals-account_suspended = 代码托管平台暂停了我们的账号。它的支持人员可以解除。
hostRefusals-app_suspended = 我们的 GitHub App 在那里被暂停了。安装它的人可以在 Settings → Applications 中解除。
hostRefusals-access_blocked = 代码托管平台对所有人封锁了这个仓库。其所有者可以联系平台的支持人员。
hostRefusals-archived = 仓库已归档，只能读取。其所有者可以在 Settings → General 中取消归档。
hostRefusals-user_blocked = 仓库的所有者屏蔽了我们的账号。只有他们可以解除。
hostRefusals-newcomers_limited = 仓库暂时限制了谁可以参与，我们的账号不在其中。请联系其所有者，或等到限制结束。
hostRefusals-collaborators_only = 仓库只接受协作者的拉取请求{ GIVEN($field) ->
        [yes] （{ $field }）
       *[no] {""}
    }。请让其所有者添加我们的账号。
hostRefusals-pulls_off = 仓库关闭了拉取请求{ GIVEN($field) ->
        [yes] （{ $field }）
       *[no] {""}
    }。只有其所有者可以重新开启。
hostRefusals-head_unseen = 代码托管平台还看不到刚推送的分支，或者该分支已不在。请一分钟后重试。
hostRefusals-nothing_to_merge = 基准分支已包含这次改动的全部内容，不需要再创建拉取请求。请取消任务，或说明还缺什么。
hostRefusals-is_mirror = 这个仓库是镜像{ GIVEN($field) ->
        [yes] （{ $field }）
       *[no] {""}
    }：改动在别处提交，这里的拉取请求没有人看。
hostRefusals-hourly_limit = 代码托管平台每小时允许的请求已用完。不用做什么：AgentPR 会等到它允许时再继续。
hostRefusals-secondary_limit = 代码托管平台要我们放慢：一次的请求太多了。不用做什么，等待即可。
hostRefusals-limit_in_force = 代码托管平台要我们等待，在那之前 AgentPR 不会再请求它。不用做什么。
hostRefusals-plan_lacks_it = 仓库所有者的套餐不为私有仓库提供这项功能。对方可以更换套餐，或公开仓库。
hostRefusals-server_lacks_it = 这个版本的代码托管平台没有这项功能。管理它的人可以安装更新的版本。
hostRefusals-has_no_forks = 这个代码托管平台没有 fork。我们的凭据需要直接推送到该仓库的权限。
hostRefusals-has_no_checks = 这个代码托管平台没有可以重新运行的检查。
hostRefusals-has_no_reviews = 这个代码托管平台没有评审，因此无法在那里回复或请求评审。
hostRefusals-has_no_issues = 这个代码托管平台没有可以读取的议题。
hostRefusals-has_no_setup = 这个代码托管平台没有 AgentPR 能设置的标签和评审请求。
hostRefusals-has_no_search = 这个代码托管平台无法搜索仓库。请逐一写出仓库名。
hostRefusals-name_not_found = 查不到{ $party }的域名。请检查运行 AgentPR 的机器的 DNS 和网络。
hostRefusals-connection_refused = { $party }没有接受连接：它的地址上没有服务在监听，或被防火墙拒绝。请检查该地址和运行 AgentPR 的机器的网络。
hostRefusals-connection_lost = 与{ $party }的连接在它回答之前中断了。如果一直这样，请检查运行 AgentPR 的机器的网络。
hostRefusals-no_answer = { $party }没有及时回答。如果一直这样，请查看它的状态页面和运行 AgentPR 的机器的网络。
hostRefusals-proxy_unreached = 连不上{ hostRefusalsParts-proxy }，因此也连不上{ $party }。请检查它的地址和端口；不需要代理服务器的主机请写入 NO_PROXY。
hostRefusals-proxy_wants_sign_in = { hostRefusalsParts-proxy }要求它认可的用户名和密码（407）。请把它们写进代理服务器的地址：http://user:password@host:port，其中 @ 写作 %40。
hostRefusals-proxy_gets_no_answer = { hostRefusalsParts-proxy }连不上{ $party }{ hostRefusalsParts-answered }。如果不需要代理服务器，请把它加入 NO_PROXY。
hostRefusals-proxy_forbids = { hostRefusalsParts-proxy }不让我们访问{ $party }{ hostRefusalsParts-answered }。请申请放行，或把它加入 NO_PROXY。

## What is sealed

changedFields-action = 操作
changedFields-baseRepoId = 目标仓库
changedFields-headRepoId = 分支所在的仓库
changedFields-baseRef = 基准分支
changedFields-mergeBase = 改动的起点提交
changedFields-headSha = 最新提交
changedFields-tree = 文件
changedFields-diff = 改动
changedFields-diffFacts = 卡片上关于改动的说明
changedFields-branch = 分支
changedFields-author = 作者
changedFields-signer = 签名的密钥
changedFields-title = 标题
changedFields-body = 描述
changedFields-pullBody = 新的描述
changedFields-pushes = 是否同时推送分支
changedFields-draft = 草稿标记
changedFields-setup = 创建后的设置
changedFields-maintainerCanModify = 维护者能否推送
changedFields-conflicts = 是否与基准分支冲突
changedFields-policyVersion = 策略
changedFields-assessment = 评估
changedFields-evidence = 检查的证据
changedFields-rules = 仓库对贡献的要求

## What moved since an approval

changedSince-conflicts = 改动与基准分支冲突
changedSince-branch_head = 代码托管平台上的分支变了：{ $from } → { GIVEN($to) ->
        [yes] { $to }
       *[no] 没有了
    }
changedSince-stored_proposal = 账本里保存的不是批准过的内容
changedSince-signatures = { FILLED($lapsed) ->
    [yes] { $lapsed } 已不能批准；
   *[no] {""}
}还剩 { $have }/{ $needed } 个批准{ FILLED($next) ->
    [yes] {" "}· 还需要其中一位：{ $next }
   *[no] {""}
}

## What a value must be

expected-text = 必须是文本，请加上英文引号 "…"
expected-number = 必须是数字
expected-whole = 必须是整数
expected-list = 必须是列表：[one, two]
expected-table = 里面必须有自己的键：{"{"} key: value {"}"}
expected-yes_no = 必须是 true 或 false
expected-name = 必须是以字母开头、由字母、数字和 _ 组成的名称
expected-email = 必须是电子邮件地址
expected-address = 必须是以 https:// 开头的地址
expected-every = 必须是星期几、时间和时区，例如 monday 09:00 Asia/Shanghai；也可以用 mon-fri、day（每天）或 month（每月第一天）
expected-hours = 必须是星期几、时段和时区，例如 mon-fri 09:00-17:00 Asia/Shanghai；星期几也可写 mon-wed,sat
expected-days_alone = 缺少时段和时区，例如 mon-fri 09:00-17:00 Asia/Shanghai；00:00-24:00 表示全天
expected-duration = 必须是分钟、小时或天的数目，最多 90 天，例如 90m、2h 或 1d
expected-days_off = 必须是一个日期，或起止两个日期，例如 2026-12-24/2027-01-02；不写年份表示每年：12-24/01-02；星期几写在 hours 里
expected-budget = 必须是不带货币符号的美元数，例如 20，或 {"{"} "costUsd": 20, "tokens": 500000 {"}"}
expected-zone = 时区必须存在，没有 { $zone }{ GIVEN($near) ->
        [yes] （是想写 { $near } 吗？）
       *[no] ；请写成 Asia/Shanghai 或 UTC 这样
    }
expected-one_of = 必须是其中之一：{ $all }
expected-most = 最多只能{ $of ->
        [number] 是
       *[other] 有
    } { NUMBER($n) }{ $of ->
        [number] {""}
        [text] {" "}个字符
       *[list] {" "}项
    }
expected-other = 不能用

## Parts of the sentences above

checkWhysParts-required = { $required ->
        [yes] （必需）
       *[no] {""}
    }
failureDetailsParts-said = { GIVEN($says) ->
        [yes] 。对方说：{ $says }
       *[no] {""}
    }
failureDetailsParts-program = { GIVEN($program) ->
        [yes] 程序 { $program }{" "}
       *[no] 代理
    }
failureDetailsParts-because = { GIVEN($says) ->
        [yes] ：{ $says }
       *[no] {""}
    }
hostRefusalsParts-owner = { GIVEN($organisation) ->
        [yes] 组织 { $organisation }{" "}
       *[no] 该组织
    }
hostRefusalsParts-proxy = 代理服务器{ GIVEN($proxy) ->
        [yes] {" "}{ $proxy }
       *[no] {""}
    }（HTTPS_PROXY）
hostRefusalsParts-answered = { GIVEN($status) ->
        [yes] （{ $status }）
       *[no] {""}
    }

## Marks between and around sentences

marks-gap = {""}
marks-semicolon = ；
marks-or = ，或者

## Amounts, and sentences that code fills in

budgets-amounts-time = { $n } 分钟
budgets-amounts-cost = ${ $n }
budgets-amounts-iterations = { $n } 次
budgets-amounts-fixes = { $n } 次
budgets-expected = { $runs } 次类似任务：{ GIVEN($usd) ->
    [yes] { $usd }，
   *[no] {""}
}{ $minutes } 分钟。上限：{ GIVEN($limitUsd) ->
    [yes] { $limitUsd }，
   *[no] {""}
}{ $limitTime }。
budgets-cautionNoPrice = ⚠ 费用上限是 { $limit }，但不知道 { $model } 的价格{ GIVEN($usualOf) ->
    [yes] （没有指定模型时 { $engine } { $usualOf } 用它）
   *[no] { "" }
}。除非提供方自己列出价格，{ $engine } 会停在第一次请求。请在 agentpr.config.json 的 "gateway.prices" 中写明价格，或换一个模型或引擎重新下达，或取消上限：/budget <任务> cost none。
budgets-cautionUntold = ⚠ 费用上限是 { $limit }，但 { $engine } 以登录方式使用时从不报告费用：这个上限不起作用。请限制它的 token（budget=tokens:2m），或给它一个密钥。
sight-says-long = { $parts }太多，AgentPR 读不完
sight-says-ours = AgentPR 自己出错了
sight-says-limit = GitHub 要我们等待
sight-says-unreached = 连不上 GitHub
sight-says-status = GitHub 回答 { $status }
sight-unread = 没有读到：{ $parts }。
sight-todos-credential = 令牌被拒绝。请设置有效的 GITHUB_TOKEN，然后重新启动 AgentPR。
sight-todos-forbidden = 令牌没有权限读取这些。请给它读取权限：{ $wanted }。{ $lacksReports ->
    [yes] 细粒度（fine-grained）令牌 不能读检查运行：请改用经典（classic）令牌，或在合并之前自己到 GitHub 上看检查。
   *[no] {""}
}
sight-todos-missing = 它被删除、设为私有或移走了，或者令牌不再包含它。请检查这两点，或取消任务。
sight-todos-refused = 请看 GitHub 的回答，或取消任务。
sight-todos-limit = 不用做什么：AgentPR 会等到 GitHub 指定的时间。
sight-todos-host = 如果很快恢复就不用管。如果一直这样，请检查主机的网络和 githubstatus.com。
sight-todos-network = 请在主机上修复：`agentpr doctor` 会逐一尝试本网络的每条出路，并说明要设置什么。
sight-todos-long = 合并之前请到 GitHub 上看检查。
sight-todos-ours = 请看主机上的日志，并报告这个问题。
problems-file_value = { $isWhole ->
    [yes] { $wrong }
   *[no] 文件第 { $line } 行：{ $wrong }
}
places-file = 文件
places-theFile = 文件
secrets-named = { FILLED($of) ->
    [yes] { $of }{" "}
   *[no] {""}
}{ $noun }
findingNotes-looks_like = 看起来像 { $secret }
findings-more = （另有 { $more } 个类似）
failureDetails-bucket_refused = 存储桶{ $problem }{ GIVEN($status) ->
    [yes] （{ $status }）
   *[no] {""}
}
failureDetails-not_reached = 无法连接{ $party ->
    [chat] {" "}Telegram
   *[bucket] 存储桶
}：{ $why }
parties-host = 代码托管平台
parties-chat = {" "}Telegram{" "}
parties-bucket = 存储桶
hostRefusals-token_lives_too_long = { hostRefusalsParts-owner }不接受有效期超过{ GIVEN($days) ->
    [yes] {" "}{ $days } 天
   *[no] 规定天数
}的令牌。请新建一个更早到期的令牌，并设为 GITHUB_TOKEN。
hostRefusals-certificate_untrusted = { GIVEN($host) ->
    [yes] {" "}{ $host }{" "}
   *[no] { $party }
}的证书不被接受：{ $problem }{ FILLED($code) ->
    [yes] （{ $code }）
   *[no] {""}
}。{ $step }
certificates-expired = 它已过期
certificates-not_yet_valid = 它尚未生效，请检查这台机器的时钟
certificates-revoked = 它已被吊销
certificates-other_name = 它是发给另一个名称的
certificates-unknown_authority = 这台机器不认识签发它的机构
certificates-nameAuthority = 如果你的公司有自己的证书机构，或代理服务器会解密 TLS，请让 NODE_EXTRA_CA_CERTS 指向含有其证书的文件（PEM），然后重新启动 AgentPR。
certificates-askThem = 需要由管理该主机或其前面代理服务器的人修复。
changedSince-field = { $name }变了{ $isShown ->
    [yes] ：{ $from } → { $to }
   *[no] {""}
}
changedRules-added = 仓库现在多了要求：“{ $quote }”（{ $file }）
changedRules-removed = 仓库不再要求：“{ $quote }”（{ $file }）
expectedParts-sized = { NUMBER($n) }{ $of ->
    [number] {""}
    [text] {" "}个字符
   *[list] {" "}项
}
expected-least = { $of ->
    [number] 至少要是 { NUMBER($n) }
   *[other] { $n ->
        [1] 不能为空
       *[other] 至少要有 { expectedParts-sized }
    }
}
expected-said = 不能用：{ $says }
misfits-unknown = { FILLED($at) ->
    [yes] { $at }
   *[no] { $where }
}里没有 { $key } 这一项。{ keysParts-instead }
keysParts-instead = { GIVEN($near) ->
    [yes] 是否指 { $near }？
   *[no] 可以写的有：{ $known }。
}
misfits-whole = { $where }{ GIVEN($found) ->
    [yes] { $must }；现在是 { $found }。
   *[no] 是空的。
}
misfits-value = { GIVEN($found) ->
    [yes] { $at } 现在是 { $found }；{ $must }。
   *[no] 缺少 { $at }：{ $must }。
}
problems-picture_large = 这张图片太大：最多 { $mb } MB。请作为照片发送，不要作为文件。
problems-picture_gone = 无法从聊天中取得图片，或者它超过 { $mb } MB。请重新发送。
problems-picture_form = 这不是我能转交的图片：必须是一张完整的 JPEG、PNG 或 WebP。请发送截图或照片。
problems-picture_points = 这张图片的像素太多：最多 2,500 万，每边最多 8,000。请作为照片发送，不要作为文件。

## Cards, answers to them, and buttons

evidence-none = 没有运行检查：没有找到与这个改动有关的检查
evidence-untold = 没有运行检查：这里有测试，但没有说明怎样运行
evidence-passed = { $name } 通过
evidence-again = { $name } 通过（第一次没有通过）
evidence-fixed = { $name }：在 { $base } 上不通过，现在通过
evidence-redFirst = { $name } 通过；只加上这次改动的测试时，它在 { $base } 上不通过，理应如此
evidence-notLoaded = { $name } 通过；这次改动的测试依赖改动本身：在 { $base } 上无法加载
evidence-greenFirst = { $name } 通过，但只加上这次改动的测试时，它在 { $base } 上也通过
evidence-untried = { $name } 通过；这次改动的测试无法在 { $base } 上试运行
evidence-lucky = { $name } 不稳定：这次通过，但在 { $base } 上时好时坏
evidence-failed = { $name } 未通过
evidence-overLimit = { $name } 被停止：{ $why }
evidence-timedOut = { $name } 超时，已终止
evidence-countsFailures = { $name } 的统计中有失败的测试，退出码却是 0
evidence-countsFailuresBefore = { $name } 的统计中有失败的测试（在 { $base } 上也是），退出码却是 0
evidence-redBefore = { $name } 不通过，在 { $base } 上同样不通过
evidence-notJudged = { $name } 无论有没有这次改动，在这里都不通过：{ $why }
evidence-withheld = { $name } 没有在这里运行：{ $why }
evidence-waived = { $name } 未通过；有人决定跳过它继续
evidence-notRun = { $name } 在这里无法运行
evidence-ranIn = 在 { $image } 中运行{ $services ->
        [0] {""}
       *[other] ，同时运行 { $services }
    }
evidence-unrun = – { $n } 项检查没有为这些文件运行：{ $names }
evidence-leftToCi = – { $n } 条命令留给 CI：{ $names }
evidence-ranNoTest = { $name } 没有运行任何测试
evidence-moreCautions = … 另有 { $n } 条注意事项：见“{ $high ->
        [yes] 查看风险
       *[no] 更多
    }”
card-closed-approved = 已批准
card-closed-denied = 已拒绝
card-closed-changes = 要求修改
card-closed-expired = 已过期
card-closed-changedRecord = ⚠ 数据库中的记录被改动
card-closed-void = 已作废
card-closed-failed = 未创建
card-asks-open = 在 { $repo } 创建这个拉取请求？
card-asks-both = 推送这个改动并在 { $repo } 创建拉取请求？
card-asks-push = 把这个改动推送到 { $repo }？
card-asks-fix = 把这个修复推送到 { $repo } 的 { $pull }？
card-sizes-small = 小改动：{ commonParts-inFiles }
card-sizes-medium = 中等改动：{ commonParts-inFiles }
card-sizes-large = 大改动：{ commonParts-inFiles }
card-riskByChecks = { $level ->
        [low] 低
        [medium] 中
       *[high] 高
    }风险（因检查结果）
card-riskUntested = { $level ->
        [low] 低
        [medium] 中
       *[high] 高
    }风险（因未经测试）
card-otherFiles = 其他文件：
card-hunkAt = 第 { $line } 行：
card-undecided = ，逾期会再次询问
card-does-open = 创建拉取请求
card-does-both = 推送分支并创建拉取请求
card-does-push = 推送
card-does-fix = 推送修复
card-next = 时间已过四分之三，仍无人决定：请你来决定。
card-run = 任务 { $id }
card-files = { $n } 个文件
card-toFork = 推送到 fork { $fork }
card-rivals = 别人也在做：{ $all }
card-forecast = 近期外部拉取请求 { $closed } 个中合并了 { $merged } 个{ $alike }；半数在 { $time }内结束{ $answer }
card-forecastAlike = （同类 { $closed } 个中 { $merged } 个）
card-forecastAnswer = {""}；最近 { $of } 个中半数在 { $time }内得到首次回应
card-rival = { $who } 的拉取请求 { $pull }（同一{ $by ->
        [issue] 议题
       *[files] 文件
    }）
card-askedAgain = 按要求重做：“{ $asked }”
card-newSince = 自上一张卡片以来的新内容：{ $files }
card-nothingNew = 自上一张卡片以来没有新内容。{ FILLED($says) ->
    [yes] 代理说：“{ $says }”
   *[no] {""}
}
card-leftFixes = 没有改动，已略去：{ $titles }
card-opens = 创建为：{ $draft ->
        [until_green] 草稿，检查通过后自动转为可评审
        [yes] 草稿
       *[no] 可评审
    }{ FILLED($fields) ->
        [yes] {" "}· { LIST($fields, by: " · ") }
       *[no] {""}
    }
pullFields-labels = 标签 { $names }
pullFields-reviewers = 评审人 { $names }
pullFields-assignees = 指派给 { $names }
pullFields-milestone = 里程碑 { $name }
pullFields-without = 去掉：{ LIST($names, by: " · ") }
pullAll-labels = 所有标签
pullAll-reviewers = 所有评审人
pullAll-teams = 所有团队
pullAll-assignees = 所有受指派人
pullAll-milestone = 里程碑
setupRefusals-label = 标签 { $value }：{ $why }
setupRefusals-reviewer = 评审人 { $value }：{ $why }
setupRefusals-team = 团队 { $value }：{ $why }
setupRefusals-assignee = 受指派人 { $value }：{ $why }
setupRefusals-milestone = 里程碑 { $value }：{ $why }
setupRefusals-ready = 仍为草稿：{ $why }
setupReasons-missing = 没有这个名称
setupReasons-is_author = 就是拉取请求的作者
card-saysNoReason = 描述只有标题，没有说明原因。回复一句原因，它就会写进描述。
card-describes = 并更新拉取请求的描述（见“PR 文字”）
card-binary = 二进制
card-deleted = 已删除
card-moreFiles = … 还有 { $n } 个（+{ $added } −{ $deleted }）
card-risk = { $level ->
        [low] 低
        [medium] 中
       *[high] 高
    }风险
card-more = （另有 { $n } 条）
card-conflicts = 与 { $base } 冲突：更新之前无法合并
card-behind = { $base } 已有新提交
card-merges = 合并 { $ref } { $sha }：{ $n } 个提交
card-theirs = 包含 { $author } 的 { $sha }，由 { $by } 采用
card-decide = 决定截止
card-into = 拉取请求的基准分支：{ $base }
card-edited = 文字由 { $name } 改写
card-requested = 由 { $name } 发起
card-contained = 仅由{ $how ->
        [bwrap] bubblewrap
        [bwrap_unfiltered] 没有系统调用过滤器的 bubblewrap
        [unshare] 命名空间
        [container] 容器
       *[group] 进程组
    }隔离
card-lends-key = 代理能读到它的模型密钥
card-lends-sign_in = 代理能读到它的登录信息
card-lends-secret = 代理能读到设置中交给它的机密
card-unsigned = { $base } 只接受已签名的提交；这个提交没有签名
card-hiddenLines = { $n } 行因含密钥而隐藏
card-skipped = 略去 { $n } 个文件：{ $kinds }
card-leftOut-nested_repository = 嵌套的仓库
card-leftOut-hard_link = 与外部相连的文件
card-leftOut-bad_name = 不可用的文件名
card-leftOut-too_large = 过大
card-leftOut-skipped_ignored = 被仓库忽略
card-natures-renamed = 改名
card-natures-executable = 变为可执行
card-natures-notExecutable = 不再可执行
card-natures-link = 链接
card-natures-submodule = 子模块
card-natures-lineEndings = 仅行尾
card-natures-blanks = 仅空白
card-natures-lfs = LFS 指针
card-natures-lfsRaw = 应存入 LFS
card-natures-filterRaw = 未经加密或过滤
card-armed = 点“确认”即可{ $what }；按钮失效时间：
card-notQuoted = … 另有 { $files } 个文件中的 { $lines } 行：“改动”里是全部
card-omitted = … 有 { $bytes } 字节放不进文件
card-by = 由 { $name } 批准
card-opening = 正在创建拉取请求…
card-pushing = 正在推送…
card-openedAs = 拉取请求 { $pull } 已创建
card-itemComment = { $outcome ->
    [asked] { $by } 要求把链接发到指令的来源处……
    [posted] { $by } 已让链接发到指令的来源处
    [refused] 链接没能发到指令的来源处
   *[unclear] 链接可能已经发到指令的来源处：请去看看
}
card-notOpened = 但没有创建：
card-newerBelow = 新的卡片在下面。
card-changedRecord = 有人改动了这张卡片在数据库中的记录，因此无法签名。请运维者运行 `agentpr replay { $run }`，它会指出改动了什么，然后从备份恢复。
card-record = 任务 { $run } · 内容摘要 { $digest }
card-sealMark = 内容摘要 { $digest }
proposal-engine = 引擎：{ $engine }
proposal-title = 点一下就执行
proposal-which = 哪一个？
proposal-whichAct = 请点击要做的事
proposal-over = 情况已变：没有执行任何操作。
proposal-overrule = 尽管有这条规则，任务仍会继续。你的理由会保留并显示在每张卡片上；改动按高风险处理。
proposal-several = { $does } · { $n } 个任务
proposal-some = { $n ->
        [0] 没有执行任何操作。见下方。
       *[other] 已记录：{ $n } 个任务已接受，{ $not } 个没有。见下方。
    }
proposal-fell = { $n } 个任务没有接受：
proposal-upTo = { $does }，上限 { $limits }
proposal-answers-issue = 这就是议题
proposal-answers-cla = 我已签署协议
proposal-answers-words = 原样发布这些话
proposal-answers-sign_off = 以此签署并保存
proposal-answers-template = 这是模板的回答
proposal-does-answer = 回答
proposal-does-retry = 重试
proposal-does-resume = 继续
proposal-does-pause = 暂停
proposal-does-cancel = 彻底取消
proposal-does-skip = 跳过
proposal-does-update = 从基准分支更新
proposal-does-revoke = 重新询问我
proposal-does-deny = 拒绝
proposal-does-changes = 要求这样修改
proposal-does-ask = 问代理
proposal-does-take_back = 撤回修改
proposal-does-edit = 更改创建方式
proposal-does-fix = 让代理去做
proposal-does-keep = 停止并保留
proposal-tells = 告诉 { $run } 的代理
proposal-newRun = 在 { $repo } 新建任务
proposal-does-overrule = 规则说的是别的事
proposal-does-open = 现在创建
proposal-does-post_link = 发送链接
proposal-does-done = 标记为完成
proposal-does-new = 开始
proposal-again-words = 带这些话重新开始
proposal-again-same = 重新开始
proposal-does-settings = 更改此设置
proposal-changeLanguage = 更换语言
proposal-does-status = 状态
proposal-does-pending = 待处理
proposal-does-runs = 任务
proposal-does-detail = 详情
proposal-does-diff = 改动
proposal-does-log = 日志
proposal-does-plan = 计划
proposal-does-budget = 预算
triage-title = 评审
triage-begun = 评审，已开始处理
triage-from = { $names } · { $n } 条意见
triage-whole = 整体
triage-choices-apply = 采用
triage-choices-fix = 修改
triage-choices-reply = 回复
triage-choices-ignore = 忽略
triage-since-edited = 之后被改过
triage-since-withdrawn = 评审已被撤销
triage-since-deleted = 之后被删除
triage-since-rights_lost = 作者已没有写权限
triage-answer = 回复：
triage-noAnswer = 还没有回复：请回复这条消息，写“{ $no } 你的回复”。
triage-how = 点编号可更改处理方式。开始之前不会发布或改动任何东西。
triage-page = 第 { $n }/{ $of } 页
triage-did = { $by } 选择：修改 { $fix } 条，回复 { $reply } 条，忽略 { $ignore } 条。
triage-file = 意见
triage-changed = { $no }：{ $choice }
triage-saidFor = 已记为第 { $no } 条的回复。你签名之后才会发布。
triage-whichOne = 哪一条意见？请以编号开头，例如“2 这是有意的，因为…”。
triage-readAll = 有些意见比卡片显示的长。请先读下面的全文，再点一次。
triage-over = 这条评审已经处理过。
replying-title = 回复
replying-to = 给 { $name }
replying-again = 请 { $names } 再次评审
replying-mark = 每条末尾有一行隐藏文字，用来认出已发布的回复。
replying-post = 发布
replying-postThem = 发布回复
replying-posting = 正在发布回复…
replying-how-posted = 已发布
replying-how-deleted = 未发布：意见已不在
replying-how-locked = 未发布：对话已锁定
replying-how-refused = 未发布
replying-closed = 已回复
replying-asked-asked = 已请他们再次评审。
replying-asked-failed = 未能请他们再次评审。
replying-wordsOf-person = 本人所写
replying-wordsOf-agent = 代理所写
replying-wordsOf-product = AgentPR 所写
replying-long = 回复比卡片显示的长。请先读下面的全文，再点一次。
replying-thread = 讨论
replying-conversation = 对话
openRemarks-title = 有人在等回复
openRemarks-waits = { $n } 条意见还没有回复，最早的一条：
openRemarks-more = … 还有 { $n } 条
openRemarks-how = 请到拉取请求上回复，或让代理照办。
openRemarks-howOnCard = 评审的卡片还开着：在那里选择，或到拉取请求上回复。
openRemarks-mayClose = 如果没有人继续处理，可以写一句话说明并关闭它。
openRemarks-answered = 已经回复
openRemarks-close = 写一句话并关闭
openRemarks-askBelow = 请回复下面这条消息。
openRemarks-ask = 用哪句话关闭拉取请求？写在这里：会原样发布在描述的上方。
openRemarks-closing = 正在用你的这句话关闭拉取请求。
openRemarks-over = 已经没有人在等回复。
comment-bot = 程序
comment-access-write = 有写权限
comment-access-read = 无写权限
comment-access-unknown = 权限不明
comment-on = 于 { $run }
comment-omitted = … 还有 { $n } 个字符
comment-passedBy = 已由 { $name } 转给代理。
comment-answer = 回复
comment-askBelow = 请回复下面这条消息。
comment-ask = 你的回复是什么？写在这里：会先请你签名，然后原样发布。
comment-answering = 接下来是带有你的回复的卡片。
waysOut-pull = 查看拉取请求
waysOut-compare = 在网页上比较
waysOut-branch = 分支
waysOut-commit = 提交
waysOut-checkout = 检出命令
buttons-openNow = 现在创建
buttons-commentOnItem = 把链接发到来源处
buttons-open = 创建 PR
buttons-push = 推送
buttons-pushFix = 推送修复
buttons-ok = 确认
buttons-back = 返回
buttons-changes = 要求修改
buttons-ask = 提问
buttons-takeBack = 撤回修改
buttons-deny = 拒绝
buttons-look = 查看任务
buttons-why = 哪条策略？
buttons-risk = 查看风险
buttons-diff = 改动
buttons-text = PR 文字
buttons-whole = 全文
buttons-more = 更多
buttons-detail = 详情
buttons-retry = 重试
buttons-resume = 继续
buttons-cancel = 取消任务
buttons-start = 开始
buttons-rerun = 重跑 CI
buttons-without = 跳过这些检查
buttons-update = 从基准分支更新
buttons-take = 采用他们的提交 { $sha }
buttons-card = 查看卡片
buttons-keep = 停止并保留
buttons-drop = 停止并丢弃
buttons-dropEnds = 确定，结束任务
buttons-drops = 确定，丢弃
buttons-keeps = 确定，停止并保留
buttons-tellNow = 现在
buttons-tellAfter = 这一轮之后
buttons-fix = 让代理去做
buttons-remarks = 全部原文

## Campaigns

campaign-titles-planned = 预览
campaign-titles-running = 进行中
campaign-titles-paused = 已暂停
campaign-titles-stopped = 已停下
campaign-titles-finished = 已完成
campaign-titles-closed = 已关闭
campaign-states-planned = 等待开始
campaign-states-running = 进行中
campaign-states-paused = 已暂停
campaign-states-stopped = 已停下
campaign-states-finished = 已完成
campaign-states-closed = 已关闭
campaign-scheduled = 定时中
campaign-leftOut-duplicate = 重复写出
campaign-leftOut-archived = 已归档
campaign-leftOut-fork = 是 fork：只写它而不写源仓库，才会参加
campaign-leftOut-missing = 不存在，或我们看不到
campaign-leftOut-banned = 不接受代理的改动
campaign-leftOut-not_allowed = 不接受我们的推送、fork 或拉取请求
campaign-leftOut-pull_open = 已有我们的拉取请求
campaign-leftOut-running = 已有任务在进行
campaign-leftOut-over_limit = 超出一个批次的上限
campaign-leftOut-invalid_branch = 分支名太长，或 git 不接受
campaign-leftOut-invalid_base = 基准分支名太长，或 git 不接受
campaign-leftOut-invalid_title = 标题太长，或含有控制字符
campaign-leftOut-invalid_goal = 目标为空、太长，或含有控制字符
campaign-leftOut-invalid_command = 变量的值无法写进命令
campaign-leftOut-link_out = 排在不参加的仓库之后
campaign-leftOut-with_branch = 带了分支名：请另建一个批次并写 base=<分支>，它对整个列表有效
campaign-notAdopted-ours = 是我们的任务创建的
campaign-notAdopted-already_followed = 已在跟踪
campaign-notAdopted-missing = 不存在，或我们看不到
campaign-notAdopted-unreachable = 代码托管平台没有回应；请稍后再发一次
campaign-notAdopted-over_limit = 超出一个批次的上限
campaign-notAdopted-elsewhere = 不在这个代码托管平台上
campaign-adopted-open = 已打开
campaign-adopted-red = 检查未通过
campaign-adopted-green = 检查通过
campaign-adopted-merged = 已合并
campaign-adopted-closed = 已关闭
campaign-marks-merged = 已合并
campaign-marks-done = 已完成
campaign-marks-green = 检查通过，等评审人
campaign-marks-open = 已打开，等检查
campaign-marks-waits = 等你处理
campaign-marks-works = 进行中
campaign-marks-denied = 被拒绝
campaign-marks-failed = 失败
campaign-marks-skipped = 已跳过
campaign-marks-out = 不参加
campaign-marks-cancelled = 已取消
campaign-takePart = { $of } 个仓库中有 { $n } 个参加
campaign-fixes = 每个仓库一个拉取请求，包含：{ $titles }
campaign-example = 填入变量后，以 { $repo } 为例：
campaign-filled-title = 标题
campaign-filled-branch = 分支
campaign-filled-base = 基准分支
campaign-filled-goal = 目标
campaign-filled-command = 命令
campaign-checks = 检查
campaign-notInstalled = 不安装依赖。
campaign-unseen = 还有 { $n } 个仓库没有查看：轮到它们时再判断
campaign-out = 不参加：{ $n } 个{ $why }
campaign-more = … 还有 { $n } 个
campaign-atOnce = 全部 { $n } 个仓库同时开始
campaign-canary = 先做 { $first } 个仓库，之后每次 { $steps } 个
campaign-next = 上一步的仓库{ $outcome ->
        [approved] 都有了拉取请求
        [ci_green] 都有了检查通过的拉取请求
       *[merged] 都已合并
    }后，下一步才开始
campaign-limits = 每天最多 { $day } 个，每个所有者最多 { $owner } 个，同时最多 { $open } 个
campaign-stops = 一步中失败超过 { $failures }% 或被拒绝超过 { $denials }% 时自动停下
campaign-estimate = 按过去 { $of } 个任务估算：运行约 { $work }，费用约 { $cost }，占用你约 { $attention }
campaign-each = 每个仓库：{ $expected }
campaign-forecast = 总费用：{ $low } 到 { $high }，依据 { $runs } 次类似任务（{ $isSure ->
        [yes] 比较可靠
       *[no] 粗略估计
    }）。{ GIVEN($limit) ->
        [yes] 预算：{ $limit }
       *[no] 没有设置批次的预算
    }{ $isShort ->
        [yes] ，可能不够
       *[no] {""}
    }。
campaign-forecastUntold = 总费用：{ $runs } 次类似任务没有说明花费。{ GIVEN($limit) ->
        [yes] 预算：{ $limit }。
       *[no] 没有设置批次的预算。
    }
campaign-forecastNone = 总费用：还没有类似的任务。{ GIVEN($limit) ->
        [yes] 预算：{ $limit }。
       *[no] 没有设置批次的预算。
    }
campaign-costUnknown = 费用未知
campaign-noEstimate = 没有过去的任务可供估算。
campaign-nothingYet = 你点“开始”之前不会开始任何任务。
campaign-planned = 预览已就绪，尚未开始任何任务。
campaign-startsOnHost = 运行“agentpr campaign start { $id }”，或有人在聊天里点“{ $button }”之前，不会开始任何任务。
campaign-patience = 一周内没有人点，就会自动关闭。
campaign-lapsed-late = 一周内没有人开始，已自动关闭。没有任何改动。
campaign-lapsed-replaced = 同一定时的下一份已到，这一份没有人开始，已自动关闭。没有任何改动。
campaign-quoted = 代理会读到的内容（他人所写）
campaign-every = 每到 { $every } 就重新查看一遍，并把预览发给你。
campaign-firstTime = 你点“定时”之前不会有预览。
campaign-nextTime = 下一份预览：{ $when }
campaign-noNextTime = 不会再有预览。
campaign-cameLast = 上一份：{ $id }，{ $when }
campaign-merged = 已合并 { $n }/{ $of }（{ $percent }%）
campaign-begun = { $of } 个仓库中已开始 { $n } 个
campaign-onYou = 等你处理
campaign-failed = 失败
campaign-near = 接近上限
campaign-busy = 等我们在那里的另一个任务
campaign-elsewhere = 在别处创建、只跟踪：{ $n } 个
campaign-adopting = 正在查看 { $n } 个拉取请求。
campaign-queue = 等 { $owner } 的 CI：我们有 { $n } 个在排队
campaign-waits-open = 同时最多 { $of } 个，现有 { $count } 个：下一个要等空位
campaign-waits-owner = { $count } 个仓库的所有者已有 { $of } 个在进行，要等空位
campaign-waits-day = 24 小时内已开始 { $count }/{ $of } 个：下一个等到明天
campaign-waits-busy = 已放行的 { $of } 个中有 { $count } 个在等我们在同一仓库的另一个任务
campaign-waits-queued = 已放行的 { $of } 个中有 { $count } 个在等我们其他任务的检查排到机器
campaign-waits-after = 已放行的 { $of } 个中有 { $count } 个在等排在它们之前的仓库
campaign-waits-step = 到目前为止各步的 { $of } 个中还有 { $count } 个尚未达到
campaign-nextStep = 下一步：再开始 { $n } 个仓库
campaign-last = 所有仓库都已开始。
campaign-approvers = 只有这些人可以批准：{ $who }
campaign-stopped = { $kind ->
        [approvers] 已自动停下：它指定的审批人中还有 { $count } 位能批准，需要 { $of } 位。用 /users 把角色还给其中一位再点“继续”；或关闭它，另指定审批人重新发起。
       *[other] { $kind ->
                [access] 已自动停下：最近的 { $count } 个仓库都对我们隐藏或不开放，原因多半是我们的凭据。已开始的任务继续进行。请检查令牌或 GitHub App，然后点“继续”。
               *[other] 已自动停下：这一步的 { $of } 个中有 { $count } 个{ $kind ->
                        [failures] 失败
                       *[other] 被拒绝
                    }，上限是 { $bound }%。已开始的任务继续进行；点“继续”仍会开始后面的仓库。
            }
    }
campaign-paused = 不再开始新的仓库。已开始的任务继续进行。
campaign-finished = 所有任务都已结束。
campaign-closed = 不再开始新的仓库。
campaign-sure = { $n ->
        [0] 要彻底关闭吗？没有需要一并取消的任务；打开的拉取请求保持不变。
       *[other] 要彻底关闭吗？可以同时取消 { $n } 个还没有拉取请求的任务；打开的拉取请求保持不变，之后可以再点一次来关闭。
    }
campaign-asksFirst = 开工前的要求
campaign-askFirst = 开工之前，有 { $n } 个仓库先提出了要求，原文如下：
campaign-nothingAsked = 都已回答。
campaign-firsts-issue_first = 先要有议题
campaign-firsts-cla = 签署协议
campaign-firsts-human_words = 用你自己的话写描述
campaign-firsts-dco = 签署（sign-off）
campaign-firsts-base_branch = 另一个分支
campaign-firsts-other = 可能禁止这类改动：确认不是禁令才开始
campaign-allAsk = { LIST($what, by: " · ") }（{ $n }）
campaign-allTheSame = “开始”会直接开工：缺少的内容会写在每个拉取请求的卡片上。“逐个查看”会单独显示每张卡片，可以在那里作答。
campaign-answered-begin = { $n ->
        [0] 它们都不再询问了。
       *[other] 已开始 { $n } 个。
    }
campaign-answered-leave_out = { $n ->
        [0] 它们都不再询问了。
       *[other] 已跳过 { $n } 个。
    }
campaign-learned-denial = 审批人的意见
campaign-learned-review = 评审人的要求
campaign-learned-checks = 失败的检查
campaign-nobodyLeft = 没有可以告知的仓库了：其他仓库已经知道、正在进行，或已结束。
campaign-taught = { $n ->
        [0] 没有可以告知的仓库了。
       *[other] 已告知 { $n } 个任务；每个都会带着自己的卡片回来。
    }
campaign-ownersNo = { $owner } 的维护者拒绝了：不再开始他们的其余 { $left } 个仓库。
campaign-hours = 只在 { $when } 开始新的仓库
campaign-outOfHours = 不在开始时段：下一个在 { $when } 开始
campaign-mergedAfter = { $days } 天内合并 { $n }/{ $of }（{ $percent }%）
campaign-stuck = { $n } 个已等了几天
campaign-keeps = 已等{ $whom } { $long }
campaign-keepers-you = 你
campaign-keepers-reviewers = 评审人
campaign-keepers-checks = 检查
campaign-eta = 按目前的速度，最后一个将在 { $left }后等你决定（{ $when }）
campaign-idle = { $places } 个空位都被一周没有动静的 { $n } 个拉取请求占着。其中一个结束之前不再开始新的。
campaign-noIdle = 已有空位，或又有了动静。
campaign-goesOn = 现在同时最多可以打开 { $places } 个拉取请求。
campaign-granted = 每个任务最多可以用 { $amounts }。
campaign-withdraws = { $n ->
        [0] 没有打开的拉取请求。
       *[other] 将关闭我们的 { $n } 个拉取请求（别人推送过的除外）。描述的最前面会写上（英文）：
    }
campaign-gaveUp = 批次已关闭。
campaign-withdrawn = { $n ->
        [0] 没有可以关闭的。
       *[other] 正在关闭 { $n } 个拉取请求；有必须留着的会告诉你。
    }
campaign-buttons-start = 开始 { $n } 个
campaign-buttons-undo = 撤销 { $n } 个
campaign-buttons-schedule = 定时
campaign-buttons-drop = 放弃
campaign-buttons-pause = 暂停
campaign-buttons-resume = 继续
campaign-buttons-close = 关闭
campaign-buttons-sure = 彻底关闭
campaign-buttons-cancel = 关闭并取消 { $n } 个
campaign-buttons-retry = 重试失败的 { $n } 个
campaign-buttons-all = 全部 { $n } 个
campaign-buttons-goOn = 再开始 5 个
campaign-buttons-closeIdle = 关闭停滞的 { $n } 个
campaign-buttons-wait = 等等
campaign-buttons-first = { $n } 个先提出要求
campaign-buttons-begin = 开始 { $n } 个
campaign-buttons-leaveOut = 跳过 { $n } 个
campaign-buttons-singly = 逐个查看
campaign-buttons-learn = 已学到 { $n } 条
campaign-buttons-teach = 用到其他 { $n } 个
campaign-buttons-withdraw = 关闭 { $n } 个拉取请求
campaign-buttons-look = 刷新
campaign-did-started = 已开始。
campaign-did-scheduled = 已定时。
campaign-did-paused = 已暂停。
campaign-did-resumed = 已继续。
campaign-did-closed = 已关闭。
campaign-waves-of = 第 { $no } 批，共 { $all } 批：{ $n } 个仓库
campaign-waves-waits = 排在 { $repos } 之后
campaign-waves-merged = 已合并为 { $commit }
campaign-waves-released = 已发布为 { $tag }
campaign-waves-refused = 已发布，但名称不能写进命令：等待下一次发布
campaign-waves-release = { $repo } 发布
campaign-waves-stopped = 不再开始：{ $repo } { $mark ->
        [failed] 失败了
        [denied] 被拒绝了
        [cancelled] 被取消了
        [skipped] 被跳过了
        [done] 没有合并就结束了
       *[out] 不参与
    }
campaign-waves-later = 尚未开始
campaign-undo-scheduled = { $id } 是定时，自己没有任务。请撤销它的某个批次：/campaign { $id } 会写明最近一个。
campaign-undo-nothing = 没有可以撤回的：{ $id } 没有已合并的内容，或已经有还原它的拉取请求。/campaign { $id } 可以关闭打开的拉取请求。
campaign-undo-looking = 正在查看 { $n } 个已合并的拉取请求。预览会替换这条消息；你点“撤销”之前不会开始。
campaign-undo-of = 撤回 { $id } 已合并的内容；每个都是一个要照常审批的拉取请求。
campaign-undo-reverse = 按相反的顺序：最后的先撤回。有冲突的只会拖住等待它的仓库。
campaign-undo-nothingYet = 在你点“撤销”之前，什么都不会开始。
campaign-undo-also = { $open ->
        [0] “撤销”还会取消 { $working } 个没有拉取请求的任务。
       *[other] “撤销”还会关闭 { $open } 个打开的拉取请求{ $working ->
            [0] { "" }
           *[other] ，取消 { $working } 个还没有拉取请求的任务
        }，并删除我们的分支。
    }
campaign-undo-rest = 其中 { $stays } 个拉取请求仍打开：正在关闭，或有别人推送过。
campaign-undo-fresh = 预览之后又合并了 { $n } 个：/campaign { $first } undo 可以一并撤回。
campaign-undo-by = 已由 { $undos } 撤销
campaign-undo-role = 关闭拉取请求需要审批人：请其中一位点“撤销”。
campaign-tried = { $n ->
        [0] 没有可以重试的。
       *[other] 正在重试 { $n } 个。
    }
campaign-not = 现在不行：这个批次{ $how }。
campaign-notDone = 没有做成：{ $note }。请换一个幂等键再试。
campaign-unknown = 没有批次 { $id }。
campaign-none = 还没有批次。用 /batch 发起一个。
campaign-which = 请说明是哪个批次：/campaign 会列出来。
campaign-list = 批次
campaign-entry = { $released ->
        [0] { $how }
       *[other] { $how }，各步至今共 { $released } 个仓库
    }
campaign-scheduledEntry = { $state ->
        [running] 定时中
       *[other] { $state ->
                [planned] 预览
                [running] 进行中
                [paused] 已暂停
                [stopped] 已停下
                [finished] 已完成
               *[closed] 已关闭
            }
    }，每到 { $every }

## What CI gives a check

checkNeeds-history = 完整历史和标签
checkNeeds-submodules = 子模块
checkNeeds-lfs = Git LFS 文件
checkNeeds-services = 服务
checkNeeds-secrets = 密钥
checkNeeds-system = 另一种系统

## What a machine may lack

lackedThings-network = 网络
lackedThings-service = 正在运行的服务
lackedThings-docker = Docker
lackedThings-browser = 浏览器
lackedThings-display = 显示器
lackedThings-system_library = 系统库
lackedThings-memory = 更多内存
lackedThings-package = 软件包
lackedThings-permission = 更多权限
lackedThings-older_node = 更旧的 Node
lackedThings-older_python = 更旧的 Python
lackedThings-free_port = 空闲端口
lackedThings-writable_folder = 可写的目录
lackedThings-open_files = 更多可打开的文件
lackedThings-git_identity = git 的姓名和邮箱
lackedThings-time_zone = 时区数据
lackedThings-terminal = 终端
lackedThings-ordinary_user = 普通用户
lackedThings-interpreter = 另一个解释器
lackedThings-variable = 环境变量

## Parts of the sentences above

commonParts-inFiles = { $files } 个文件{ FILLED($lines) ->
        [yes] ，{ $lines }
       *[no] {""}
    }

## Cards and campaigns, filled in by code

environmentGaps-needs = 它需要 CI 提供的{ LIST($needs, by: "和") }
environmentGaps-need = { $need }{ $names ->
    [0] {""}
   *[other] （{ $names }）
}
environmentGaps-toolVersion = 仓库要求 { $name } { $asked }，这台机器上{ GIVEN($version) ->
    [yes] 是 { $version }
   *[no] 没有
}
environmentGaps-ciVersion = CI 用的是 { $name } { $versions }，这台机器是 { $version }
environmentGaps-versionsBetween = { $oldest } 到 { $newest }
environmentGaps-versionsFrom = { $oldest } 或更新
environmentGaps-timeLimit = 它没有在时限内结束（checkTimeoutMinutes）
environmentGaps-lacks = 它需要{ $what }
environmentGaps-noProgram = 这台机器上没有安装 { $program }
environmentGaps-installFails = { $command } 在这里失败
environmentGaps-ciGreen = 基准分支的 CI 通过了，所以问题在这台机器
evidence-morePassed = ✓ 另有 { $n } 项检查通过
evidence-moreOthers = ⚠ 另有 { $n } 项检查没有通过
card-checks = { $all ->
    [0] 没有运行检查 ⚠
   *[other] { $isAll ->
        [yes] { $all } 项检查通过
       *[no] { $all } 项检查中 { $passed } 项通过{ $untested ->
            [0] {""}
           *[other] ，{ $untested } 项没有运行任何测试
        }{ $failing ->
            [0] {""}
           *[other] ，其中 { $failing } 项在 { $ref } 上同样不通过
        }{ $unjudged ->
            [0] {""}
           *[other] ，{ $unjudged } 项在这里无法判断
        } ⚠
    }
}
cardParts-checks = { $all } 项检查
card-signed = { $stage ->
    [none] 需要 { $needed } 人批准
    [enough] 已批准 { $have }/{ $needed }：{ $names }
    [last] 已批准 { $have }/{ $needed }：{ $names } · 只差你这一票
    [named] 已批准 { $have }/{ $needed }：{ $names }
   *[more] 已批准 { $have }/{ $needed }：{ $names } · 你批准后是 { $next }/{ $needed }
}
card-stillNeeds = 还需要其中一位：{ $names }
card-coolDown = 最后一次批准 { $n } { $unit ->
    [minutes] 分钟
    [hours] 小时
   *[days] 天
}后才创建
buttons-begin = { $choices ->
    [0] 全部忽略
   *[other] 开始：{ LIST($choices, by: "，") }
}
buttons-toFix = 修改 { $n } 条
buttons-toAnswer = 回复 { $n } 条
campaign-looking = 正在{ LIST($where, by: "，") }。预览会出现在这条消息里；你点“开始”之前不会开始任何任务。
campaign-lookingAt = 查看 { $n } 个仓库
campaign-lookingFor = 查找 { $queries }
campaign-found = { $query }：{ $repos } 个仓库{ $extent ->
    [cut] ；代码托管平台只给出 { $of } 条结果中的 { $given } 条：请缩小范围
    [stopped] ；代码托管平台没有查完就停了：请缩小范围
   *[whole] {""}
}
campaignCame-issue = { $by } 给 { $repo } 的议题 { $issue } 加了标签
campaignCame-schedule = 定时 { $schedule } 到点了
campaignCame-hook = webhook { $hook } 发来的
campaignSource-issue = { $repo } 的议题
campaignSource-schedule = 定时 { $schedule }
campaignSource-hook = webhook { $hook } 的调用
campaign-notStarted = 未开始：{ LIST($parts, by: "，") }。
campaign-lastStepWaits = 所有步骤都已开始；还有 { $n } 个仓库在等待轮到它们。
campaign-lastStep = 没有下一步了。{ $notStarted }
campaignIdle-waiting = { $n } 个在排队
campaignIdle-later = { $n } 个在后面的步骤里
campaignIdle-leftOut = { $n } 个不参加
campaignIdle-stopped = { $n } 个因排在前面的仓库没有合并
campaignIdle-unwanted = { $n } 个因所有者的维护者不同意
campaignIdle-elsewhere = { $n } 个已由别处的拉取请求完成
campaignWish-checks = 同样的改动在 { $repo } 没有通过代码托管平台的这些检查：{ $text }。请确保它们在这里通过。
campaignWish-said =
    { $from ->
        [denial] 审批人
       *[other] 评审人
    }对 { $repo } 中同样的改动说：

    { $text }

    凡适用于本仓库的，请照做。

## What policies, risk and grades say

judgements-exposed_credential = 借给代理的密钥或登录信息出现在 { judgementsParts-paths }
judgements-secret = 疑似密钥，位于 { judgementsParts-paths }
judgements-likely_secret = 可能是密钥，位于 { judgementsParts-paths }
judgements-key_files = 从文件名看，这些文件存放密钥或密码：{ judgementsParts-paths }
judgements-likely_key_files = 从文件名看，这些文件可能存放密钥或密码：{ judgementsParts-paths }
judgements-leaves_workspace = 有路径离开了工作区：{ judgementsParts-paths }
judgements-link_leaves = 有链接指向仓库之外：{ judgementsParts-paths }
judgements-gitlink_added = 会发布子模块指针：{ judgementsParts-paths }
judgements-gitlink_removed = 删除了子模块：{ judgementsParts-paths }
judgements-binary = 二进制文件没有人能读懂：{ judgementsParts-paths }
judgements-lfs_pointer = 它指向没有推送的大文件：{ judgementsParts-paths }
judgements-lfs_raw = 仓库把它存放在 LFS，这里却会直接发布其内容：{ judgementsParts-paths }
judgements-filter_raw = 仓库会用过滤器处理它（例如加密），这里却会直接发布其内容：{ judgementsParts-paths }
judgements-not_read = 文件太大，无法通读，没有人读过：{ judgementsParts-paths }
judgements-bidi_text = 文字在屏幕上的顺序被双向控制符篡改：{ judgementsParts-paths }
judgements-hidden_text = 有看不见的字符：{ judgementsParts-paths }
judgements-not_on_windows = Windows 无法检出这样命名的文件：{ judgementsParts-paths }
judgements-trailing_dot_or_space = 名字以空白或点结尾：{ judgementsParts-paths }
judgements-whitespace_changed = 只改了空白或行尾：{ judgementsParts-paths }
judgements-mixed_script = 一个词里混有多种文字的字母：{ judgementsParts-paths }
judgements-look_alike = 看起来是普通拉丁文字、其实不是：{ judgementsParts-paths }
judgements-long_line = 有一行长得无法阅读：{ judgementsParts-paths }
judgements-odd_files = 代理留下了不能原样发布的文件：{ judgementsParts-paths }
judgements-ci_changed = 它改变了 CI 运行的内容：{ judgementsParts-paths }
judgements-agent_config_changed = 它改变了引导编码代理的内容：{ judgementsParts-paths }
judgements-trust_root_changed = 它改变了包、钩子或子模块的来源：{ judgementsParts-paths }
judgements-forbidden_path = 这些路径不许改动：{ judgementsParts-paths }
judgements-protected_path = 这些路径需要签名：{ judgementsParts-paths }
judgements-lockfile_without_manifest = 锁文件变了，而它的清单没变：{ judgementsParts-paths }
judgements-tests_removed = 它删除了测试：{ judgementsParts-paths }
judgements-tests_weaker = 测试被跳过或检查得更少：{ judgementsParts-paths }
judgements-tests_skipped = 测试被跳过：{ judgementsParts-paths }
judgements-tests_weakened = 测试检查得更少：{ judgementsParts-paths }
judgements-tests_not_run = 这里没有检查会运行这些测试：{ judgementsParts-paths }
judgements-tests_thinner = 测试中有几行被删除或替换，检查的说服力可能下降：{ judgementsParts-paths }
judgements-check_config_changed = 改动碰到了检查所运行的内容：{ judgementsParts-paths }
judgements-unreadable_path = 名字无法阅读：{ judgementsParts-paths }
judgements-hidden_path = 名字里有看不见的字符：{ judgementsParts-paths }
judgements-key_file_touched = 这些文件可能存放密钥或密码：{ judgementsParts-paths }
judgements-install_time = 可能在安装或构建时运行代码：{ judgementsParts-paths }
judgements-dependencies = 它改变了依赖：{ judgementsParts-paths }
judgements-attributes = 它改变了 git 和评审人看到文件的方式：{ judgementsParts-paths }
judgements-generated = 看起来是生成的：{ judgementsParts-paths }
judgements-gitlink = 是子模块指针：{ judgementsParts-paths }
judgements-symlink = 是符号链接：{ judgementsParts-paths }
judgements-executable = 变成可执行：{ judgementsParts-paths }
judgements-not_executable = 不再可执行：{ judgementsParts-paths }
judgements-type_changed = 改变了类型：{ judgementsParts-paths }
judgements-deleted = 被删除：{ judgementsParts-paths }
judgements-renamed = 被改名：{ judgementsParts-paths }
judgements-unknown_mode = 文件模式未知：{ judgementsParts-paths }
judgements-tests_found_by_agent = 运行哪些测试只由代理找出（{ judgementsParts-paths }）
judgements-high_risk = 高风险必须有人签名
judgements-watched = 别人已经在看这个拉取请求，而风险不低
judgements-small_change = 对普通文件的小改动，我们的检查全部通过
judgements-no_check = 这个仓库没有运行任何检查
judgements-no_facts = 不知道哪些文件有变化
judgements-no_contract = 不知道这个仓库的规则
judgements-containment_unknown = 不知道代理是怎样被隔离的
judgements-containment_weak = 代理没有沙箱，只在一个进程组里运行
judgements-open_pulls_unknown = 不知道我们在那里有多少打开的拉取请求
judgements-comment_empty = 评论是空的
judgements-comment_signed = 那里的人会以我们的名义看到它，所以每条评论都要有人签名
judgements-unknown_action = 不知道这种操作
judgements-no_changes = 什么都没有改
judgements-claim_of_test = 代理说它加了测试；没有测试文件增加内容
judgements-claim_of_green = 代理说检查通过；在这里没有通过
judgements-hidden_lines = 有 { $lines } 行因隐藏密钥而没有原样显示：{ judgementsParts-paths }
judgements-size = { NUMBER($files) } 个文件，{ NUMBER($lines) } 行{ $bytes ->
        [0] {""}
       *[other] ，{ NUMBER($bytes) } 字节
    }：{ $overLimit ->
        [yes] 超过上限
       *[no] 不算小改动
    }
judgements-document = 改动无法在聊天中完整阅读：共 { $bytes } 字节，一个文件最多 { $limit } 字节
judgements-public_text_credential = { judgementsParts-places }中含有借给代理的密钥或登录信息
judgements-public_text_hidden = { $how ->
        [bidi] { judgementsParts-places }在屏幕上的顺序被双向控制符篡改
       *[invisible] { judgementsParts-places }里有看不见的字符
    }
judgements-public_text_look_alike = { judgementsParts-places }用其他字母写出了“{ $as }”：{ LIST($characters, by: ", ") }
judgements-branch_guarded = { $branch } 不是放这种改动的分支
judgements-first_pull = 这将是我们在那里的第一个拉取请求，新增 { $lines } 行；第一个最多 { $limit } 行
judgements-open_pulls = 我们在那里已有 { $count } 个打开的拉取请求；上限是 { $limit }
judgements-comment_too_long = { $length } 个字符超过了代码托管平台的上限
judgements-comment_long = { $length } 个字符读起来太多；上限是 { $limit }
judgements-ban_overruled = { $by } 认为这条规则说的是别的事（{ $why }）：{ judgementsParts-quote }
judgements-issue = 议题 { $issue } { $standing ->
        [fine] 还开着，也没有别人在做
        [none] 没有提到
        [missing] 不存在
        [unread] 没能查到
        [closed] 已关闭
        [assigned_elsewhere] 已指派给别人
        [locked] 已锁定，只有协作者能在那里发言
        [unassigned] 没有指派给我们
       *[not_accepted] 没有标记为已接受
    }
judgements-pulls_unread = 议题 { $issue } 可能已经有打开的拉取请求；GitHub 没有让我们看全（{ $unread }）
judgements-undisclosed = { judgementsParts-places }没有说明改动出自代理：{ judgementsParts-quote }
judgements-branch_rule = 分支 { $branch } 不符合规则 { $rule }
judgements-template_cut = 描述缺了模板中的：{ LIST($headings, by: ", ") }
judgements-checks_fail = { $names ->
        [0] 检查没有通过
       *[other] 检查未通过：{ LIST($names, by: ", ") }
    }
judgements-checks_missing = 有些检查无法运行：{ LIST($names, by: ", ") }
judgements-red_before = 在基准分支上同样不通过：{ LIST($names, by: ", ") }
judgements-red_unnamed = 在这里有没有这次改动都不通过，又没有说出是哪些测试，新的失败看不出来：{ LIST($names, by: ", ") }
judgements-flaky_before = 这次通过了，但在基准分支上时好时坏：{ LIST($names, by: ", ") }
judgements-ran_no_test = 没有运行任何测试：{ LIST($names, by: ", ") }
judgements-tests_stopped = 在基准分支上会运行测试，现在一个也不运行：{ LIST($names, by: ", ") }
judgements-no_tests = 没有运行测试；依据 { LIST($names, by: ", ") }
judgements-graded_by = { $names ->
        [0] 没有依据
       *[other] 依据 { LIST($names, by: ", ") }
    }
judgements-check_config_needed = { LIST($names, by: ", ") } 只有用改动后的 { judgementsParts-paths } 才通过
judgements-command = `{ $command }` { $trait ->
        [leaves_workspace] 提到了工作区之外的路径
        [destroys] 会取得权限，或毁掉无法恢复的东西
        [deletes_much] 会删除远超工作区的内容
        [writes_device] 会写入设备
        [publishes] 会发布；只有 AgentPR 可以推送
        [high_risk] 可能毁坏或隐藏东西
        [changes_git] 会通过 git 改动历史或文件
        [acts_on_found] 会删除或执行它找到的东西
        [runs_printed] 会运行另一条命令的输出
        [runs_unread] 会运行没人看过的脚本
        [uses_network] 会使用网络
        [adds_packages] 会从软件源下载软件包
        [names_address] 提到了网络地址
        [reads] 只读取或检查
        [own_program] 会运行该路径上的程序，它不一定是那个名字的系统程序
        [unknown_option] 带有我们不知道是否无害的参数
        [sets_environment] 会设置可能改变所运行程序的环境变量
       *[unknown] 不为我们所知
    }{ $at ->
        [0] {""}
       *[other] ：{ judgementsParts-paths }
    }
judgements-command_opaque = 这条命令无法读懂：{ $why ->
        [expands] 它取决于变量或另一条命令的结果
        [open_quote] 引号没有闭合
        [document] 它自带一段文档
        [subshell] 它含有子 shell 或函数
        [ambiguous] 不同的 shell 对它的理解不同
        [too_long] 它太长
       *[empty] 它是空的
    }{ GIVEN($words) ->
        [yes] ：{ $words }
       *[no] {""}
    }
judgements-command_hidden = { $how ->
        [bidi] 命令在屏幕上的顺序被篡改
       *[invisible] 命令里藏有字符
    }
judgements-custom_policy = { $at ->
        [0] { $says }
       *[other] { $says }：{ judgementsParts-paths }
    }{ GIVEN($by) ->
        [yes] （需要你自己的通行密钥）
       *[no] {""}
    }{ GIVEN($asks) ->
        [yes] （{ $asks }）
       *[no] {""}
    }
signatureAsks-approvals = 需要 { $n } 个批准
signatureAsks-approvers = 需要以下人员的 { $n } 个批准：{ $names }
signatureAsks-after = 最后一次批准 { $n } { $unit ->
        [minutes] 分钟
        [hours] 小时
       *[days] 天
    }后才发布
judgements-check_failed = { $name } { $timedOut ->
        [yes] 超时
       *[no] 未通过
    }{ GIVEN($exitCode) ->
        [yes] （退出码 { $exitCode }）
       *[no] {""}
    }
judgements-check_not_run = { $name } 无法运行
judgements-claim_unseen = 代理说它运行了 { $command }；我们没有运行
judgements-claim_differs = 代理说 { $command } { $passed ->
        [yes] 通过
       *[no] 未通过
    }；在这里{ $outcome ->
        [passed] 通过了
        [failed] 未通过
        [timed_out] 超时了
        [not_run] 没有运行
       *[ran_no_test] 没有运行任何测试
    }
judgements-not_done = { FILLED($says) ->
        [yes] 代理说还没做完：{ $says }
       *[no] 代理说还没做完，没有说明原因
    }
judgements-opinion = { $says }
judgements-no_policy_allows = 没有策略自行放行{ GIVEN($what) ->
        [yes] { $what }
       *[no] {""}
    }，所以由人决定
judgements-dependency_changes = { LIST($changes, by: "；") }{ judgementsParts-more }
judgements-finding = { $finding }，位于 { judgementsParts-paths }
judgements-public_text_secret = { judgementsParts-places }中疑似含有 { $secret }
judgements-public_text_signal = { judgementsParts-places }{ $signal ->
        [mention] 会呼叫某人
        [closing_keyword] 会关闭议题
        [skip_ci] 会跳过 CI
        [bot_command] 会给机器人下命令
       *[trailer] 带有代替他人说话的尾注
    }：{ $excerpt }{ $never ->
        [yes] ；我们的评论不可以这样
       *[no] {""}
    }
judgements-competing_pulls = 同一议题已有打开的拉取请求：{ $pulls }
judgements-rule = { $asks }：{ judgementsParts-quote }
judgements-rule_followed = { GIVEN($kept) ->
        [yes] { $kept }
       *[no] 就我们所见已遵守：{ $asks }
    }：{ judgementsParts-quote }
judgements-title_rule = 标题不符合{ $style ->
        [conventional] {" "}Conventional Commits
        [component] “组件: 摘要”的写法
        [bracketed] “[组件] 摘要”的写法
        [ticket] 以工单号开头的写法，任务里要写明工单号
        [numbered] 以议题编号开头的写法，任务里要写明编号
       *[pattern] {" "}CI 的模式，无法确认
    }{ GIVEN($asked) ->
        [yes] （{ $asked }）
       *[no] {""}
    }：{ $title }{ GIVEN($place) ->
        [yes] ；{ $place }
       *[no] {""}
    }
judgements-template_open = 模板问了只有人能回答的问题；请回复这张卡片{ $questions ->
        [0] {""}
        [1] {""}
       *[other] ，按编号作答
    }：{ LIST($questions, by: "；") }
judgements-check_config_not_compared = 没有用基准分支的 { judgementsParts-paths } 运行：{ $why }
judgements-inline_program = { $acts ->
        [0] `{ $program }` 自带一段程序，没有策略能读懂它的语言
       *[other] `{ $program }` 自带一段程序，它{ $acts }
    }
judgements-command_characters = 命令里有看起来像别的字符的字符：{ LIST($characters, by: ", ") }{ judgementsParts-more }
judgements-step_failed = { $stop }：{ $words }
judgementsParts-more = { $more ->
        [0] {""}
       *[other] {" "}等，另有 { $more } 个
    }
judgementsParts-paths = { LIST($at, by: ", ") }{ judgementsParts-more }
judgementsParts-quote = “{ $quote }”（{ $file }:{ $line }）
judgementsParts-places = { $where ->
        [commit_message] 提交说明
        [branch_name] 分支名
        [title] 标题
        [description] 描述
        [comment] 评论
        [reply] 回复
       *[file_name] 文件名
    }

## What stands within them

ruleQuote = { judgementsParts-quote }
competingPull = { $id }（{ $author }）
noBudgetLeft = 预算已用完（{ $budget }）
judgedActions-push = 推送到 { $name }
judgedActions-open_pr = 拉取请求 { $name }
judgedActions-comment = 评论 { $name }
judgedActions-reply = 回复 { $name }
judgedActions-command = 命令 { $name }
dependencyChanges-removed = 它移除了依赖 { $name }（{ $path }）
dependencyChanges-added = 它新增了依赖 { $name }（{ $path }）
dependencyChanges-changed = 它把依赖 { $name } 从 { FILLED($was) ->
        [yes] { $was }
       *[no] 任意版本
    } 改为 { FILLED($version) ->
        [yes] { $version }
       *[no] 任意版本
    }（{ $path }）
inlineActs-network = 会使用网络（{ $words }）
inlineActs-runs_programs = 会启动别的程序（{ $words }）
inlineActs-evaluates = 会运行它生成或加载的代码（{ $words }）
inlineActs-deletes = 会删除文件（{ $words }）
inlineActs-writes = 会写文件（{ $words }）
inlineActs-reads_environment = 会读取环境变量（{ $words }）

## What a repository's rules ask for

ruleAsks-ai_ban = 这个仓库不接受这样的改动
ruleAsks-ai_limited = 这些地方不接受 AI：{ GIVEN($value) ->
        [yes] { $value }
       *[no] 见引文
    }
ruleAsks-ai_disclosure = 使用了 AI 要说明
ruleAsks-human_author = 改动必须由人负责：签名之前请通读全部内容
ruleAsks-human_words = 描述必须是人自己写的话
ruleAsks-dco = 要求签署（sign-off），只有人能给
ruleAsks-cla = 要求签署协议，只有人能签
ruleAsks-template = 描述要按模板写
ruleAsks-issue_first = { $value ->
        [open] 创建拉取请求之前要先有议题
        [accepted] 只有已被接受的议题才可以创建拉取请求
        [assigned] 只有被指派的人才可以创建拉取请求
       *[other] 先要有议题
    }
ruleAsks-changelog = { $value ->
        [file] 要求在更新日志文件里写一条
        [fragment] 要求附上更新日志片段
        [changeset] 要求附上 changeset
       *[other] 要求写更新日志
    }
ruleAsks-base_branch = 改动要提到另一个分支{ GIVEN($value) ->
        [yes] ：{ $value }
       *[no] {""}
    }
ruleAsks-branch_name = 分支名有规定{ GIVEN($value) ->
        [yes] ：{ $value }
       *[no] {""}
    }
ruleAsks-commit_style = { $value ->
        [not_conventional] 标题前面不加类型
       *[other] 提交说明有自己的写法
    }
ruleAsks-language = 要用这种语言写：{ GIVEN($value) ->
        [yes] { $value }
       *[no] 见引文
    }
ruleAsks-size = { $value ->
        [one_change] 每个拉取请求只做一件小改动
       *[other] 拉取请求要小
    }
ruleLines = 改动最多 { $value } 行
ruleAsks-label_barred = AI 不能处理带这个标签的议题：{ GIVEN($value) ->
        [yes] { $value }
       *[no] 见引文
    }
ruleAsks-trailer = { $value ->
        [assisted_by] 用 AI 做的提交要带 Assisted-by 一行
        [co_author] 用 AI 做的提交要把它列为共同作者
        [no_co_author] 不能把 AI 列为共同作者
        [no_sign_off] 代理不能签署（sign-off），由人来签
        [change_id] 提交要带 Change-Id 一行
       *[other] 提交要带尾注
    }
ruleAsks-vouch = { $value ->
        [denounced] 我们的账号在贡献者名单上被列为不受欢迎
        [listed] 只有名单上的人可以创建拉取请求，我们的账号在其中
       *[other] 只有名单上的人可以创建拉取请求，我们的账号不在其中
    }
ruleAsks-elsewhere = { GIVEN($value) ->
        [yes] 改动要交到别处（{ $value }），而不是在这里创建拉取请求
       *[no] 这里不收拉取请求
    }
ruleAsks-other = { $value ->
        [ai] 这可能是对代理所作改动的禁令
        [unread] 有规则写在无法读取的文件里
        [closer] 这里的工作流会自动关闭一部分拉取请求
        [labels] 这里有一项检查，在有权限的人设置标签之前不会通过
        [checklist] 描述里还有没勾选的方框时，这里的检查不会通过
        [branch] 这里有一项检查，会拒绝其他名称的分支
        [stale] 这里的机器人会关闭一段时间内没有动静的拉取请求
        [open_limit] 这里限制每位贡献者同时打开的拉取请求数量
        [signed] 这里的提交要先用密钥签名才能合并
       *[other] 有一条规则需要人来读
    }
ruleValued = { $asks }（{ $value }）
ruleKept-ai_disclosure = 描述说明了改动出自代理
ruleKept-issue_first = 议题还在，也没有别人在做
ruleKept-changelog = 改动带有更新日志
ruleKept-dco = 提交已签署
ruleKept-human_words = 描述是人自己写的话
ruleKept-vouch = 我们的账号在允许创建拉取请求的名单上

## Why edited words of a pull request are not taken

notModified-card_closed = 卡片已经不在了
notModified-goes_elsewhere = 新的文字不能改变它的去处；请重新提出
notModified-raises_risk = 新的文字会把风险从{ $from ->
        [low] 低
        [medium] 中
       *[high] 高
    }提高到{ $to ->
        [low] 低
        [medium] 中
       *[high] 高
    }
notModified-forbidden = 有策略禁止这样做：{ LIST($objections, by: "；") }
objection = { $policy }：{ $reason }

## Completes “a run that cannot be … now”

commandTypes-discovery_start = 开始
commandTypes-implementation_start = 开始实现
commandTypes-validation_accept = 送去检查
commandTypes-push_approve = 批准推送
commandTypes-pr_open_now = 在创建时段之外创建
commandTypes-item_comment = 在指令来源处发链接
commandTypes-pr_approve = 批准创建拉取请求
commandTypes-deny = 拒绝
commandTypes-proposal_modify = 改写文字
commandTypes-iterate = 退回修改
commandTypes-review_choose = 选择如何处理意见
commandTypes-review_begin = 开始处理评审
commandTypes-remarks_answered = 把意见标记为已回复
commandTypes-comment_answer = 回复评论
commandTypes-reply_approve = 批准回复
commandTypes-ci_rerun = 重新检查
commandTypes-checks_waive = 跳过检查继续
commandTypes-base_update = 从基准分支更新
commandTypes-head_adopt = 采用别人的提交
commandTypes-retry = 重试
commandTypes-resume = 继续
commandTypes-pause = 暂停
commandTypes-skip = 放弃
commandTypes-cancel = 取消
commandTypes-run_finish = 标记为完成
commandTypes-ban_overrule = 从禁令中放行
commandTypes-requirement_answer = 作答
commandTypes-permission_answer = 回答许可请求
commandTypes-work_keep = 停止并保留改动
commandTypes-work_drop = 停止并丢弃改动
commandTypes-agent_tell = 转告代理
commandTypes-words_schedule = 更改转告的时间
commandTypes-question_ask = 提问
commandTypes-change_restore = 撤回修改
commandTypes-permission_revoke = 撤销许可
commandTypes-budget_raise = 提高预算

## What agentpr doctor, init and start find

hostChecks-node-says = { $version }{ $isOwn ->
        [yes] ，AgentPR 自带{ GIVEN($onPath) ->
                [yes] （PATH 上的 { $onPath } 没有使用）
               *[no] {""}
            }
       *[no] {""}
    }，libuv { $uv }
hostChecks-env_file-says = { $isPrivate ->
        [yes] 只有所有者可以读取（权限 { $mode }）
       *[no] 这台机器上的其他账号可以读到里面的密钥（权限 { $mode }）
    }
hostChecks-env_file-fix = { $isPrivate ->
        [yes] {""}
       *[no] 请运行：chmod 600 .env
    }
hostChecks-git_version-says = { $version }
hostChecks-git_unfit-says = { FILLED($version) ->
        [yes] { $version } 太旧了
       *[no] 没有找到 git
    }（在 { $path }）。
hostChecks-git_unfit-fix = 请在那里安装 git { $oldest } 或更新的版本。
hostChecks-sandbox_untried-says = { $cause }
hostChecks-sandbox_untried-fix = 先解决这个问题，才能试沙箱。
hostChecks-sandbox-says = { $level } 在这里可以使用{ $weaknesses ->
        [0] {""}
       *[other] （{ LIST($weaknesses, by: " ") }）
    }
hostChecks-sandbox-fix = 请解决这个问题，或设置 AGENTPR_SANDBOX=auto 接受较弱的沙箱。
hostChecks-sandbox_unfiltered-says = { $level } 在这里可以使用，但没有系统调用过滤器（{ LIST($weaknesses, by: " ") }）
hostChecks-sandbox_unfiltered-fix = 沙箱里可以像本机一样使用 vsock、io_uring、内核密钥和 BPF；处理办法见 docs/containment.md。
hostChecks-box_absent-says = 没有安装 { $program }
hostChecks-box_absent-fix = { $program ->
        [bwrap] 请安装：apt-get install bubblewrap。
        [docker] 请安装 Docker 或 Podman：apt-get install docker.io。
        [podman] 请安装：apt-get install podman。
       *[unshare] 请安装：apt-get install util-linux。
    }
hostChecks-box_apparmor-says = AppArmor 不许 { $program } 使用用户命名空间，它说“{ $said }”
hostChecks-box_apparmor-fix = 请给 { $program } 一个 AppArmor 配置（docs/operating.md），或对所有程序放开：sysctl -w kernel.apparmor_restrict_unprivileged_userns=0。
hostChecks-box_userns_off-says = 内核设置不许再建用户命名空间；{ $program } 说“{ $said }”
hostChecks-box_userns_off-fix = 请运行：sysctl -w { $setting }。要长期保留，请写进 /etc/sysctl.d 里的文件。
hostChecks-box_container-says = 容器或服务的设置不许 { $program } 创建命名空间：“{ $said }”
hostChecks-box_container-fix = 启动容器时请加 --security-opt seccomp=deploy/seccomp.json --security-opt systempaths=unconfined（docs/operating.md），或把容器本身当作沙箱：AGENTPR_SANDBOX=group。
hostChecks-box_proc_covered-says = /proc 的一部分被遮住，{ $program } 无法挂载自己的 /proc：“{ $said }”
hostChecks-box_proc_covered-fix = 启动容器时请加 --security-opt systempaths=unconfined（Kubernetes：procMount: Unmasked）。
hostChecks-box_setuid-says = { $program } 装成了 setuid，于是拒绝沙箱所需的功能：“{ $said }”
hostChecks-box_setuid-fix = 请运行：chmod u-s "$(command -v bwrap)"。允许用户命名空间时它不需要这个权限。
hostChecks-box_too_old-says = 这个 { $program } 太旧：“{ $said }”
hostChecks-box_too_old-fix = 请安装 bubblewrap 0.8 或更新的版本，或设置 AGENTPR_SANDBOX=unshare。
hostChecks-box_engine_silent-says = { $program } 没有回答：“{ $said }”
hostChecks-box_engine_silent-fix = 请启动它的服务，并允许这个用户使用：`{ $program } info` 必须能运行。
hostChecks-box_other-says = { $program } 在这里不能用：“{ $said }”
hostChecks-box_other-fix = docs/operating.md 写了它需要什么。
hostChecks-settings_complete-says = 完整
hostChecks-settings_wrong-says = { $cause }
hostChecks-settings_wrong-fix = { GIVEN($step) ->
        [yes] { $step }
       *[no] 参见 .env.example，或运行 `npx agentpr init`。
    }
hostChecks-data_unwritable-says = { $cause }
hostChecks-data_unwritable-fix = 请让 { $dir } 可写，或设置 AGENTPR_DATA_DIR。
hostChecks-data_unusable-says = { $cause }
hostChecks-data_unusable-fix = 用它 AgentPR 无法启动。
hostChecks-data-says = { $dir }，剩余 { $free } GiB
hostChecks-data-fix = 请腾出一些磁盘空间。
hostChecks-rules-says = { LIST($lines, by: "\u000A") }
hostChecks-rules_past-says = { $places } 里的日期都已过去
hostChecks-rules_past-fix = 请写将来的日期，或不带年份、每年都有的日期：12-24/01-02。
hostChecks-rules_lacking-says = { $asks } 要求 { $approvals } 人批准，而能批准的只有 { $people } 人
hostChecks-rules_lacking-fix = 请在聊天里写“/users invite approver”，或减少要求的人数。
hostChecks-rules_powerless-says = 策略里点名、但无权批准的人：{ $ids }
hostChecks-rules_powerless-fix = 请在聊天里给他们角色：/users add <id> approver。
hostChecks-mirrors-says = { $count } 个仓库，{ $limit } MB 中用了 { $mb } MB
hostChecks-mirrors-fix = 请结束占用大仓库的任务，或调高 mirrors.diskMb。
hostChecks-ledger_whole-says = 完好
hostChecks-ledger_absent-says = 还没有创建
hostChecks-ledger_broken-says = { $cause }
hostChecks-ledger_broken-fix = 请从备份恢复数据目录，或把 AGENTPR_DATA_DIR 设为另一个目录。
hostChecks-postgres-says = Postgres { $version }{ $isMade ->
        [yes] {""}
       *[no] ，还没有创建
    }
hostChecks-postgres_broken-says = { $cause }
hostChecks-postgres_broken-fix = 参见 docs/postgres.md；账本在哪里由 DATABASE_URL 决定。
hostChecks-telegram-says = 已登录为 @{ $name }{ $way }
hostChecks-telegram_away-says = { $cause }
hostChecks-telegram_away-fix = 问题在这台主机的网络，不在令牌：请检查 HTTPS_PROXY 和 DNS。
hostChecks-telegram_unknown-says = Telegram 不认识 TELEGRAM_BOT_TOKEN 里的令牌
hostChecks-telegram_unknown-fix = 请从 @BotFather 重新复制（/token），然后运行 `npx agentpr init`。
hostChecks-telegram_refused-says = { $cause }
hostChecks-telegram_refused-fix = Telegram 拒绝了；它认识这个令牌。请稍后再试。
hostChecks-slack-says = 已作为 @{ $name } 登录 { $team }{ $way }；Socket Mode 已开启
hostChecks-slack_scopes-says = 已登录为 @{ $name }，但缺少权限范围 { $scopes }
hostChecks-slack_scopes-fix = 请在应用的“OAuth & Permissions”里加上，然后重新安装应用（docs/slack.md）。
hostChecks-slack_broken-says = { $cause }
hostChecks-slack_broken-fix = 请检查 { $token }；每个令牌从哪里来，参见 docs/slack.md。
hostChecks-signing-says = 提交用 { $key } 签名
hostChecks-signing_broken-says = { $cause }
hostChecks-signing_broken-fix = 参见 docs/github.md。
hostChecks-webhooks-says = { GIVEN($to) ->
        [yes] 已设置 GITHUB_WEBHOOK_SECRET；GitHub 发送到 { $to }
       *[no] 没有设置 GITHUB_WEBHOOK_SECRET：由我们定期询问 GitHub，而不是由它发送
    }
hostChecks-bucket-says = { $url }：写入、读取并删除了一个对象{ $way }
hostChecks-bucket_broken-says = { $cause }
hostChecks-bucket_broken-fix = 它的密钥必须能写入、读取和删除对象，而其他人什么都不能做。
hostChecks-backup-says = { $file }（{ $at }）：已恢复并重放，{ $runs } 个任务的 { $events } 个事件
hostChecks-backup_wrong-says = { $cause }
hostChecks-backup_wrong-fix = 参见 docs/audit.md，并再做一次备份。
hostChecks-backup_unreadable-says = { $cause }
hostChecks-backup_unreadable-fix = 请试另一个备份，并用 `agentpr backup` 做一个新的。
hostChecks-network_broken-says = { $cause }
hostChecks-network_broken-fix = 参见 docs/configuration.md 的“Behind a company proxy”。
hostChecks-party_silent-says = { $party ->
        [model] 模型提供方
       *[traces] 接收 trace 的服务
    }（{ $host }）没有回应：{ $cause }
hostChecks-party_silent-fix = 请检查它的地址，以及这台主机的网络。
hostChecks-git_reaches-says = 能到达 { $url }{ $way }
hostChecks-git_away-says = { $cause }
hostChecks-git_away-fix = git 必须像 API 一样能到达代码托管平台：请检查 HTTPS_PROXY 和证书。
hostChecks-github-says = 已登录为 { $login }，权限范围：{ $scopes ->
        [0] 无
       *[other] { LIST($scopes, by: ", ") }
    }{ $way }
hostChecks-github-fix = { $missing ->
        [0] 参见 docs/github.md。
       *[other] 缺少：{ LIST($missing, by: "；") }。参见 docs/github.md。
    }
hostChecks-github_fine-says = 已用细粒度（fine-grained）令牌登录为 { $login }；在 { $repo } 上可以：{ $has ->
        [0] 什么都不行
       *[other] { LIST($has, by: ", ") }
    }{ $way }
hostChecks-github_fine-fix = { $missing ->
        [0] 这种令牌只能访问它所属的那一个所有者的仓库，而且读不了检查。别人的仓库需要经典（classic）令牌。参见 docs/github.md。
       *[other] 缺少：{ LIST($missing, by: "；") }。这种令牌只能访问它所属的那一个所有者的仓库，而且读不了检查。别人的仓库需要经典（classic）令牌。参见 docs/github.md。
    }
hostChecks-github_fine_nowhere-says = 已用细粒度（fine-grained）令牌登录为 { $login }，但它访问不了任何仓库
hostChecks-github_fine_nowhere-fix = 这种令牌只能访问它所属的那一个所有者的仓库，而且读不了检查。别人的仓库需要经典（classic）令牌。参见 docs/github.md。
hostChecks-github_unknown-says = GitHub 不认识 GITHUB_TOKEN 里的令牌（{ $cause }）
hostChecks-github_unknown-fix = 请新建一个，然后运行 `npx agentpr init`。
hostChecks-github_away-says = { $cause }
hostChecks-github_away-fix = 问题在到 GitHub 的路上，不在令牌：请检查 GITHUB_API_URL、HTTPS_PROXY 和 DNS。
hostChecks-github_refused-says = { $cause }
hostChecks-github_refused-fix = 请检查 GITHUB_TOKEN 和 GITHUB_API_URL。
hostChecks-app-says = { $login } 已安装在 { $owner } 上{ $missing ->
        [0] ，权限齐全
       *[other] {""}
    }{ $way }
hostChecks-app-fix = { $missing ->
        [0] 参见 docs/github.md。
       *[other] 缺少：{ LIST($missing, by: "；") }。参见 docs/github.md。
    }
hostChecks-app_nowhere-says = { GIVEN($login) ->
        [yes] { $login }
       *[no] 该应用
    }没有安装在任何地方
hostChecks-app_nowhere-fix = 请在它的设置里把它安装到一个账号上。
hostChecks-app_suspended-says = { $login } 安装在 { $owner } 上，但被暂停了{ $way }
hostChecks-app_suspended-fix = { $owner } 可以在设置里解除暂停。
hostChecks-app_refused-says = { $cause }
hostChecks-app_refused-fix = 请检查 GITHUB_APP_ID、GITHUB_APP_PRIVATE_KEY 和 GITHUB_API_URL。
hostChecks-labels-says = { $repositories } 个仓库的议题可以加标签
hostChecks-engine_version-says = { $version }
hostChecks-engine_untried-says = { $version }；未经验证：按它的文档实现，我们从未运行过
hostChecks-engine_untried-fix = 请留意它最初的几个任务。
hostChecks-engine_no_version-says = 它没有说自己的版本（“{ $said }”）；试用过的是 { $known }
hostChecks-engine_no_version-fix = 如果它表现异常，请安装试用过的版本：`{ $install }`。
hostChecks-engine_other_version-says = { $version } 比试用过的 { $known } { $isOlder ->
        [yes] 旧
       *[no] 新
    }
hostChecks-engine_other_version-fix = 如果它表现异常，请安装试用过的版本：`{ $install }`。
hostChecks-engine_fails-says = `{ $program } --version` 失败了：{ GIVEN($cause) ->
        [yes] { $cause }
       *[no] 15 秒内没有回应
    }
hostChecks-engine_fails-fix = { GIVEN($install) ->
        [yes] 请重新安装：`{ $install }`。
       *[no] 它是 agentpr.config.json 里这个引擎的 "command"。请重新安装，或改用别的程序。
    }
hostChecks-engine_absent-says = 没有找到程序 { $program }
hostChecks-engine_absent-fix = { GIVEN($install) ->
        [yes] 请安装它（`{ $install }`），或在 agentpr.config.json 的 "engines" 里写明它在哪里。
       *[no] 请在 agentpr.config.json 里这个引擎的 "command" 写明它在哪里。
    }
hostChecks-engine_key-says = 已设置 { $names }
hostChecks-engine_signed_in-says = 已通过 { $file } 登录
hostChecks-engine_own_model-says = 无，使用自己的模型
hostChecks-engine_own_sign_in-says = 无；代理需要时自己登录
hostChecks-engine_no_key-says = 没有设置密钥
hostChecks-engine_no_key-fix = 请设置 { LIST($names, by: " 或 ") }，或自己的模型的地址。
hostChecks-engine_signed_out-says = 既没有密钥，也没有 { $file }
hostChecks-engine_signed_out-fix = 请登录（`{ $signIn }`），或设置 { LIST($names, by: " 或 ") }。
hostChecks-engine_boxed-says = 能在沙箱里启动（{ $level }）
hostChecks-engine_not_boxed-says = 在沙箱里无法启动：{ GIVEN($cause) ->
        [yes] { $cause }
       *[no] 15 秒内没有回应
    }
hostChecks-engine_not_boxed-fix = 请把它安装在主目录之外，或在 agentpr.config.json 的 "readable" 里加上它的目录。
hostChecks-engine_own-says = AgentPR 自带，使用 { $model }
hostChecks-engine_no_model-says = 没有指定模型
hostChecks-engine_no_model-fix = 请在 agentpr.config.json 里设置 "engines": {"{"}"{ $name }": {"{"}"args": ["-m", "<model>"]{"}}"}，或设置 OPENAI_MODEL 或 ANTHROPIC_MODEL。
hostChecks-engine_ready-says = 引擎 { $engine } 就绪
hostChecks-engine_unchosen-says = 还没有选择引擎；在那之前每个任务要自己指定引擎
hostChecks-engine_unchosen-fix = 让 agentpr init 找出这台机器上的代理，或在 .env 里设置 AGENTPR_ENGINE（codex、claude、opencode 等）；也可以在 agentpr.config.json 里用 "script" 指定一条命令。
hostChecks-chat_connected-says = { $service }：@{ $name } 已连接
hostChecks-forge_connected-says = { $forge } 账号 { $account }
hostChecks-script-says = script 引擎的命令：{ $command }
hostChecks-prices-says = { $list } 的价目表{ $own ->
        [0] {""}
       *[other] ，你自己的 { $own } 个价格优先
    }
hostChecks-cost_unknown-says = bounds.maxCostUsd 是 { $limit }，但不知道 { $model } 的价格{ GIVEN($usualOf) ->
    [yes] （没有指定模型时 { $usualOf } 版用它）
   *[no] { "" }
}：除非提供方公布价格，否则它的任务会立刻停下
hostChecks-cost_unknown-fix = 请在 agentpr.config.json 里设置 "gateway": {"{"}"prices": {"{"}"{ $model }": {"{"}"input": …, "output": …{"}}}"}（每百万 token 的美元价），或在 "args" 里换一个模型，或去掉 bounds.maxCostUsd。
hostChecks-cost_untold-says = bounds.maxCostUsd 是 { $limit }，但 { $engine } 登录使用时不报告费用：这个上限不起作用
hostChecks-cost_untold-fix = 请设置 bounds.maxTokens，或改用密钥而不是登录。
hostChecks-unit-says = { $file }
hostChecks-unit_absent-says = 没有 { $file }
hostChecks-unit_absent-fix = 请运行 `agentpr service install`。
hostChecks-unit_foreign-says = { $file } 不是 agentpr 写的
hostChecks-unit_foreign-fix = 请用 --name 换一个名称。
hostChecks-unit_program_gone-says = 它启动 { $program }，但那里已经没有了
hostChecks-unit_program_gone-fix = 请再运行一次 `agentpr service install`。
hostChecks-unit_problems-says = { $problems }
hostChecks-unit_problems-fix = 请再运行一次 `agentpr service install`。
hostChecks-unit_edited-says = { $file } 写好之后被改过
hostChecks-unit_edited-fix = 请再运行一次 `agentpr service install`。drop-in 会保留。
hostChecks-unit_older-says = { $file } 由 agentpr { $by } 写成，现在是 { $now }
hostChecks-unit_older-fix = 请再运行一次 `agentpr service install`。
hostChecks-unit_enabled-says = { $said }
hostChecks-unit_enabled-fix = 请再运行一次 `agentpr service install`。
hostChecks-unit_active-says = { $said }
hostChecks-unit_active-fix = 原因见 `{ $log }`。
hostChecks-systemd_absent-says = 这台机器没有运行它
hostChecks-systemd_absent-fix = 其他办法见 docs/run-it-for-a-year.md。
hostChecks-health_elsewhere-says = 没有询问
hostChecks-health_elsewhere-fix = 请在它的设置所在的 { $directory } 里运行。
hostChecks-health_any_port-says = 没有询问：它的端口是任意空闲端口
hostChecks-health_any_port-fix = 设置 AGENTPR_HTTP_PORT 就会询问。
hostChecks-health-says = { $address } 说它已就绪
hostChecks-health_bad-says = { $address } 回答 { $status }：{ $said }
hostChecks-health_bad-fix = 参见 docs/run-it-for-a-year.md。
hostChecks-health_silent-says = { $address } 没有回应（{ $cause }）
hostChecks-health_silent-fix = 请看它的日志：`journalctl -u agentpr`。
hostChecks-outside_failure-says = { $failure }
hostChecks-proxy-says = 经过 { $proxies } 出去；直接连接：本机{ $direct ->
        [0] {""}
       *[other] 、{ $direct }
    }
hostChecks-proxy-fix = NO_PROXY：没有主机与 { $unreadable } 相符。请写名称、地址，或像 10.0.0.0/8 这样的网段。
hostChecks-party_answers-says = { $party ->
        [model] 模型提供方
       *[traces] 接收 trace 的服务
    }有回应{ FILLED($way) ->
        [yes] { $way }
       *[no] （{ $host }）
    }
hostChecks-labels_missing-says = { LIST($missing, by: "\u000A") }
hostChecks-labels_missing-fix = 请在那里创建标签，或在 arrivals.issues 里写另一个仓库或标签。
hostFindings-way = （{ $host }，{ GIVEN($proxy) ->
        [yes] 经过代理服务器 { $proxy }
       *[no] 直接连接
    }）
hostFindings-right = { $name }{ GIVEN($level) ->
        [yes] : { $level }
       *[no] {""}
    }（{ $use }）
hostFindings-label = { GIVEN($label) ->
        [yes] { $repo } 没有标签 { $label }
       *[no] 没有找到 { $repo }，或者我们看不到它
    }

## What a permission of GitHub is for, by GitHub's name

rightUses-contents = 克隆仓库，并推送改动的分支
rightUses-pull_requests = 创建拉取请求、更新它的描述、读取评审
rightUses-checks = 读取检查结果；给 write 才能让其他应用的检查重新运行
rightUses-statuses = 读取旧式 CI 的结果
rightUses-actions = 读取失败作业的日志，并让它们重新运行
rightUses-issues = 读取任务提到的议题，以及评论
rightUses-workflows = 推送涉及 .github/workflows 的改动，包括基准分支带来的
rightUses-repo = fork、推送并创建拉取请求；公开仓库只要 public_repo 就够
rightUses-workflow = 推送涉及 .github/workflows 的改动，包括基准分支带来的

## agentpr init, start and the settings files

setup-intro =
    现在设置 AgentPR。大约需要五分钟，要准备三样东西：
    {"  "}1. 一个 Telegram 机器人：给 @BotFather 发 /newbot（https://t.me/BotFather），它会回复一个令牌
    {"  "}2. 一个供它使用的 GitHub 账号：经典（classic）令牌，权限范围 repo 和 workflow（https://github.com/settings/tokens/new?scopes=repo,workflow&description=AgentPR）
    {"  "}3. 本机上已登录的编码代理：codex、claude、opencode 或其他
    每个回答都会立即检查并保存到 .env；按 Ctrl-C 不会丢失：再次运行 init 即可继续。
setup-askBot = Telegram 机器人的令牌（粘贴时不显示）；只用 Slack 请输入 slack，两个都用请输入 both：
setup-askGitHub = GitHub 令牌（不显示），或输入 app 在浏览器里创建 GitHub App：
setup-received = （{ $n } 个字符）
setup-needed = 这一项是必需的。
setup-kinds-bot = 这是 Telegram 机器人的令牌。这里要的是 GitHub 令牌。
setup-kinds-github = 这是 GitHub 令牌。这里要的是 Telegram 机器人的令牌。
setup-kinds-gitlab = 这是 GitLab 令牌。AgentPR 使用 GitHub。
setup-kinds-model = 这是模型服务的密钥。它由编码代理保存，这里不需要。
setup-kinds-installation = 这是安装令牌，一小时内失效。请用经典（classic）令牌，或输入 app。
setup-kinds-name = 这是名字。@BotFather 在回复 /newbot 或 /token 时给出令牌。
setup-botForm = 机器人令牌由数字、冒号和字母组成，例如 123456789:AAE… 。请完整复制。
setup-botUnknown = Telegram 不认识这个令牌。请从 @BotFather 重新复制，或用 /token 申请新的。
setup-githubUnknown = GitHub 不认识这个令牌。可能已过期，或复制时被截断。
setup-unreachable =
    无法连接：{ $says }
    令牌还没有被检查。请检查网络，然后按回车重试（或粘贴另一个令牌）：
setup-refused = { $party } 拒绝了：{ $says }
setup-telegramIs = ✔ 已连接 Telegram：@{ $name }
setup-githubIs = ✔ GitHub：{ $login }，权限范围：{ $scopes }
setup-lacks = 令牌的权限范围不够：缺少 { $scopes }。请在它的页面上添加，或另建一个。
setup-agents = 本机上的代理：
setup-askAgent = 由哪一个来做？输入编号或名字 [{ $usual }]：
setup-noSuchAgent = 没有这个代理。
setup-trying = 正在问 { $name } 一个问题，看它是否已登录并能在沙箱里启动…
setup-agentWorks = ✔ { $name } 在 { $seconds } 秒后回答了
setup-agentFails = ✘ { $name } 没有回答：{ $says }
setup-askAfterFailure = 选另一个代理，输入 r 重试，或按回车保留 { $name }：
setup-askAuthor = { GIVEN($usual) ->
        [yes] 以谁的名义提交？回车使用 { $usual }，或输入 姓名 <邮箱>：
       *[no] 以谁的名义提交？姓名 <邮箱>：
    }
setup-authorForm = 请写成 姓名 <邮箱>，例如 Ana Lim <ana@example.org>。
setup-askPublicName = 拉取请求里怎样称呼批准它们的你？输入名字，或按回车只显示代号：
setup-publicNameForm = 名字最多 40 个字符，不能是数字，例如 Ana Lim。
setup-askStart = 现在启动 AgentPR 吗？回车：在本窗口运行{ $service ->
        [yes] {" "}· s：作为服务随机器启动
       *[no] {""}
    } · n：暂不启动：
setup-sayHi = 现在在 Telegram 里给 @{ $name } 发一句 hi（https://t.me/{ $name }）。我在等…
setup-isThatYou = { $name }（{ $id }）发来了消息。是你吗？这个账号将可以批准一切。[y/N]{" "}
setup-notYou = 那么请用你自己的账号发送；我继续等…
setup-nobodyWrote = 没有人发消息。按回车继续等，或输入你的 Telegram 数字 id：
setup-idForm = id 是数字；多个之间用逗号分隔。
setup-wrote = 全部设置已写入 .env。
setup-startLater = 以后用这个命令启动：agentpr start
setup-greets = @{ $name } 现在在你的手机上向你问好。Ctrl-C 停止 AgentPR。
setup-slack-asks-SLACK_BOT_TOKEN = Slack 应用的 bot token（xoxb-…，不会显示；怎样取得见 docs/slack.md）：
setup-slack-asks-SLACK_APP_TOKEN = 它的 app-level token（xapp-…，不会显示）：
setup-slack-forms-SLACK_BOT_TOKEN = Slack 的 bot token 以 xoxb- 开头，在“Install App”页面。请完整复制。
setup-slack-forms-SLACK_APP_TOKEN = app-level token 以 xapp- 开头，在“Basic Information”的“App-Level Tokens”里。
setup-slack-askMember = 你在 Slack 的 member ID（头像、Profile、三个点、Copy member ID）：
setup-slack-memberForm = member ID 由 U 或 W 加大写字母和数字组成，例如 U012AB3CD。
setup-slack-is = ✔ 已连接 Slack：{ $team } 的 @{ $name }
setup-slack-same = 你的两个账号算作同一个人：SLACK_SAME_PEOPLE={ $pair }
setup-slack-greets = 现在可以在 Slack 里给 @{ $name } 写 status。Ctrl-C 停止 AgentPR。
setup-stopped =
    {""}
    已停止。目前的回答保存在 .env；再次运行 agentpr init 即可继续。
setup-openPage =
    在本机浏览器中打开此页面，按下按钮：
    {"  "}{ $address }
    （从另一台机器，先运行：ssh -L { $port }:127.0.0.1:{ $port } <本机>）
setup-appMade = ✔ GitHub App { $slug }。请安装到它要工作的地方：{ $address }/installations/new
setup-party-chat = { $name }
setup-party-forge = { $name }
setup-party-engine = 引擎 { $name }
setup-unusable = { $party } 无法使用：{ $says }
setup-unreached = 连不上 { $party }。
setup-running = AgentPR 正在运行。健康状态：{ $address }/healthz。按 Ctrl-C 停止。
setup-workerRuns = AgentPR 的这个 worker 正在运行，目录 { $place }。健康状态：{ $address }/healthz。按 Ctrl-C 停止。
setup-notJson = agentpr.config.json 不是 JSON：{ $says }
setup-noCredential = 缺少 GITHUB_TOKEN（环境变量或 .env），也没有代替它的 GITHUB_APP_ID。

## agentpr doctor of a repository

repositoryTrial-ranNoTest = { $command } 没有运行任何测试
repositoryTrial-notRun = { $command } 没有运行
repositoryTrial-withheld = { $command } 没有在这里运行：{ $why }
repositoryTrial-flaky = { $command } 不稳定：失败一次后又通过
repositoryTrial-timedOut = { $command } 用时过长
repositoryTrial-fails = { $command } 在本机失败（退出码 { $code }）
repositoryTrial-andMore = 另有 { $n } 项
repositoryTrial-askedFor = （要求：{ $version }，{ $source }）
repositoryTrial-signedOnly = { $ref } 只接受已签名的提交，而 signing.sshKey 没有设置。参见 docs/github.md。
repositoryTrial-noCheck = 没有找到检查。下达任务时请加 check="<命令>"。

## What agentpr doctor says of a repository besides

riskFlags-unknownEcosystem = AgentPR 不认识 { $name }：只检查其工作流和指南所运行的，或惯用的命令
riskFlags-unreadCi = 不读取 { $name }（{ $file }）
riskFlags-lfs = Git LFS：不获取大文件
riskFlags-submodules = 子模块：不获取
riskFlags-large = 非常大：{ $paths } 个文件
riskFlags-devcontainers = 有多个 devcontainer（{ $names }）：都不采用；用哪个镜像由 agentpr.config.json 的 containers.image 决定
riskFlags-longCommands = 不运行 { $count } 条超过 { $most } 个字符的命令
riskFlags-noTests = 没有找到测试
riskFlags-noChecks = 没有找到检查
riskFlags-noTestCheck = 没有检查会运行测试
agentSettings = 代理工作期间移开：{ NUMBER($hooks) } 个钩子、{ NUMBER($servers) } 个服务器、{ NUMBER($skills) } 个技能、{ NUMBER($plugins) } 个插件，共 { NUMBER($files) } 个文件

## What is wrong with the settings

setup-noAgent =
    在 PATH 中没有找到编码代理。请在另一个终端安装一个并登录：
    { $installs }
setup-askNoAgent = 输入 again 重新查找，或输入一条你自己的、会做改动的命令；{ GIVEN($command) ->
    [yes] 直接回车则保留你的命令 { $command }：
   *[no] 直接回车则不用代理继续：
}{" "}
setup-noSuchProgram = PATH 中没有程序 { $name }。命令由 sh 在仓库里运行，例如：sed -i s/teh/the/ README.md
setup-stillNoAgent = 还是没有找到。
setup-ownCommand = 由你的命令来做：{ $command }
setup-withoutAgent = 没有代理，继续：AgentPR 能启动，但任务不能做任何改动。安装后请再次运行 init。
setup-unknownSetting = { $fromFile ->
        [yes] {"."}env 里有
       *[no] {""}
    }未知的设置 { $name }{ GIVEN($meant) ->
        [yes] ；你是不是指 { $meant }？
       *[no] 。
    }
setup-knownSettings = 可用的设置：{ $known }。
settingEnvironment = 环境变量或 .env
settingIssues-unknown = { $name }：没有 { $key } 这一项{ settingIssuesParts-end }{ keysParts-instead }
settingIssues-missing = 缺少 { $name }{ settingIssuesParts-end }
settingIssues-rule = { $name } 不能用：{ $rule }{ settingIssuesParts-end }
settingIssues-value = { $name } { GIVEN($found) ->
        [yes] 现在是 { $found }；
       *[no] {""}
    }{ $must }{ settingIssuesParts-end }
settingIssuesParts-end = { GIVEN($where) ->
        [yes] （{ $where }）。
       *[no] 。
    }
settingRules-port = 必须是端口号
settingRules-telegram_ids = 必须是 Telegram 的数字 id，用逗号分隔
settingRules-postgres_address = 必须是像 postgres://user:password@host:5432/agentpr 这样的地址
settingRules-bucket_address = 必须像 https://host/bucket 这样
settingRules-trace_address = 必须是像 http://127.0.0.1:4318 这样的地址
settingRules-trace_headers = 必须像 name=value,name=value 这样
settingRules-yes_or_empty = 请写 yes，或留空
settingRules-https_address = 必须是 https 地址
settingRules-https = 必须是 https
settingRules-file_or_from = 只能有 file 或 from 之一
settingRules-whole_mapping = 需要 header、title、link 和 id；该程序没有预设这些
settingRules-whole_comment = 需要 https 地址，以及含 {"{"}text{"}"} 的 body；该程序没有预设这些
settingRules-repository = 请写成 owner/name
settingRules-secret_length = 至少要有 16 个字符；可以用 `openssl rand -hex 32` 生成
settingRules-secret_name = 必须是环境变量的名称，而不是密钥本身
settingRules-key_name = 必须是环境变量的名称，而不是密钥本身
settingRules-own_name = 请自己起一个名称
settingRules-hidden_from_model = 模型不能看到它
settingRules-one_label = GitHub 把逗号当作标签的结束；请只写一个标签，不要逗号和换行
settingRules-author_name = git 不接受空的或只有标点的名字；请写成像 Ana Example 这样
settingRules-public_name = 公开名字不能是数字，也不能以 approver- 开头；请写成像 Ana Example 这样
settingRules-plain_name = 名字里不能有 <、>、换行和看不见的字符；请写成像 Ana Example 这样
settingRules-slack_ids = 像 U012AB3CD 这样的 member ID，用逗号分隔
settingRules-slack_pairs = 像 U012AB3CD=123456789 这样的对应（Slack=Telegram），用逗号分隔
settingRules-bot_token = 这不是机器人令牌；请从 @BotFather 复制，例如 123456789:AAE…
settingRules-slack_bot_token = 以 xoxb- 开头的 bot token
settingRules-slack_app_token = 以 xapp- 开头的 app-level token
## Why a run is where it is

reasons-queued = 等待空闲名额。
reasons-reading_repository = 正在阅读仓库。
reasons-checking_base = 先在基准分支上运行检查。
reasons-checks_waived = { $by } 决定跳过 { $names ->
        [0] 检查
       *[other] { LIST($names, by: ", ") }
    } 继续。它们不作为依据。
reasons-agent_discovery = 代理正在阅读仓库。
reasons-discovery_asked_again = 代理找到的一部分内容与它指出的位置不符，正在再问它。
reasons-contract_known = 仓库的规则与检查已经清楚。
reasons-contract_refined = 仓库的规则与检查已经清楚；代理补充了 { $added } 条。{ $refused ->
        [0] {""}
       *[other] {" "}它找到的内容中有 { $refused } 条不能采用。
    }
reasons-agreement_required = 仓库要求签署协议（{ $file }:{ $line }）。签署之后才可以开始。
reasons-issue_not_free = { $standing ->
        [assigned_elsewhere] 议题 { $issue } 已分配给 { $assignees }。与对方商定后再开始。
       *[closed] 议题 { $issue } 已关闭。确实仍需要时再开始。
    }
reasons-ban_read_by_agent = 代理认为仓库禁止这样的改动：“{ $quote }”（{ $file }:{ $line }）。确认并非禁止之后才可以开始。
reasons-possible_ban = 这可能是对此类改动的禁令：“{ $quote }”（{ $file }:{ $line }）。确认不是禁令后再开始。
reasons-ban_overruled = { $by } 认为这条规则说的是别的事（“{ $note }”）：“{ $quote }”（{ $file }:{ $line }）。正在重新读取仓库。
reasons-revert_empty = 分支上已没有那个拉取请求的内容，没有可以还原的。
reasons-repository_archived = 仓库已归档。
reasons-duplicate_repository = 仓库现在叫 { $repo }，已用那个名称参加。
reasons-ai_banned = 仓库不接受这样的改动：“{ $quote }”（{ $file }:{ $line }）。如果这条规则说的是别的事，请审批人回复本消息说明理由。
reasons-implementing = 代理正在工作。
reasons-planning = 代理正在制定计划。
reasons-fix_started = 第 { $no }/{ $of } 个修复：{ $title }
reasons-proposer_started = 第 { $no }/{ $of } 个引擎 { $engine } 从基准分支开始。
reasons-proposal_chosen = 在 { $of } 个引擎中选用 { $engine } 的改动；再次运行它的检查。
reasons-plan_continued = 计划继续进行。
reasons-plan_unchanged = 计划已完成，但什么都没有改。
reasons-plan_step = 步骤 { $id }：{ $text }
reasons-checks_running = { $on ->
        [commit] 正在运行我们的检查。
        [fix] 正在对修复运行我们的检查。
       *[whole] 正在对全部改动运行我们的检查。
    }
reasons-checks_failed_again = 检查没有通过，代理正在再试。
reasons-tests_pass_on_base = 这次改动的测试在没有其余改动时也通过；已告诉代理一次。
reasons-permission_asked = 代理请求许可，仅一次：{ $tool } { $input }
reasons-agent_question =
    { $question }

    请回复这条消息来回答，代理会据此继续。
reasons-report_asked_again = 读不懂代理的报告，正在请它重写。
reasons-updates_exhausted = 已达到从基准分支更新的次数上限。
reasons-push_approval_wait = 推送等待批准。
reasons-pushing = 正在推送分支。
reasons-push_unconfirmed = 不清楚推送会发布什么；请重试。
reasons-pull_unconfirmed = 不清楚拉取请求会发布什么；请重试。
reasons-merge_conflicts = 改动与基准分支冲突。
reasons-decision_wait = 等你决定。
reasons-pull_open = 拉取请求 { $pull } 已创建；正在等待检查。
reasons-pull_too_late = 来不及停下，拉取请求 { $pull } 已经创建。
reasons-fix_pushed = 修复已推送；正在等待检查。
reasons-checks_restarted = 检查正在重新运行。
reasons-maintainer_wait = 需要维护者允许检查运行。
reasons-checks_green = { $verdict ->
        [GREEN] 所有检查都通过了；等待评审。
        [GREEN_REQUIRED] 必需的检查通过了，其他的没有；等待评审。
        [GREEN_SEEN] 能读到的检查都通过了，有些读不到；等待评审。
       *[NO_CI] 仓库没有运行任何检查（这不算通过）；等待评审。
    }
reasons-pull_merged = { GIVEN($by) ->
        [yes] 已由 { $by } 合并。
       *[no] 已由维护者合并。
    }
reasons-pull_closed = 拉取请求未经合并就被 { GIVEN($by) ->
        [yes] { $by }
       *[no] 维护者
    } 关闭了。
reasons-pull_reopened = 拉取请求 { $pull } 被重新打开；等待它的检查。
reasons-foreign_head = 分支上有不是 AgentPR 推送的提交：原来在 { $from }，现在在 { $to }。之前的批准已作废。
reasons-head_adopted = { $by } 采用了 { $author } 的提交 { $sha }；任务从那里继续。
reasons-base_merged_elsewhere = { $author } 把 { $ref } 合并到了分支（{ $commits } 个提交），没有改动其他内容。任务从那里继续。
reasons-base_update = { $by } 要求从 { $ref } 更新。
reasons-base_up_to_date = { $ref } 没有新内容（{ $sha }）。
reasons-sent_to_checks = { $by } 把提交送去了我们的检查。
reasons-checks_red_on_base = { $checks } 未通过，在 { $ref } 上同样不通过。没有让代理去修；等 { $ref } 恢复后可从基准分支更新，或用 /fix 说明要做什么。
reasons-maybe_flaky = { $checks } 未通过，但可能不稳定：它被外部中断，或在同一提交上曾经通过。重跑并通过后，任务会继续；若是他人的仓库，只有其维护者能重跑。也可重试以修复。
reasons-flaky_rerun = { $checks } 未通过，可能不稳定；已重跑一次。
reasons-work_kept = { $by } 停止了代理；已有的改动照原样接受检查。
reasons-kept_work_red = 代理已停止，已有的改动没有通过我们的检查。重试可让它继续。
reasons-work_dropped = { $by } 停止了代理，并丢弃了上次推送之后的改动。
reasons-operator_words = 代理按 { $by } 对它说的话继续。
reasons-checks_rerun = { $by } 要求重新运行检查。
reasons-paused = 由 { $by } 暂停。
reasons-access_lost = { $how ->
        [removed] GitHub App 已从 { $account } 卸载：请在那里重新安装。
        [suspended] GitHub App 在 { $account } 上被暂停：请在 Settings → Applications 里解除。
       *[unlisted] GitHub App 不能再处理这个仓库：请在 { $account } 的 Settings → Applications 里，把它重新加入 App 的安装范围。
    }完成后任务会自动继续。
reasons-access_restored = GitHub App 又可以为 { $account } 工作了。
reasons-base_changed = 拉取请求的基准分支已从 { $from } 改为 { $to }，任务随之调整。
reasons-push_blocked = { $why ->
        [archived] 仓库已归档，无法推送或合并。所有者可在 Settings → General 中取消归档，任务随后会自动继续；/cancel 可结束任务。
       *[fork_deleted] 拉取请求来自的 fork 已不存在，无法再向它推送；维护者仍可按现状合并。恢复该 fork（在账号设置的已删除仓库中）后任务会自动继续；也可以 /cancel 后重新下达任务。
    }
reasons-push_unblocked = { $was ->
        [archived] 仓库已取消归档：任务继续。
       *[fork_deleted] fork 又存在了：任务继续。
    }
reasons-marked_done = 由 { $by } 标记为完成。
reasons-permission_granted = { $by } { $how ->
        [picked] 改为允许 { $picked } 的提议一次。
        [sort] 在本任务中允许“{ $sort } …”。
        [edited] 修改后允许了一次。
       *[once] 允许了一次。
    }
reasons-permission_refused = { FILLED($note) ->
        [yes] { $by } 没有允许：{ $note }
       *[no] { $by } 没有允许。
    }
reasons-taken_back = { $by } 撤回了修改；正在重新检查之前的改动。
reasons-approved = 由 { $by } 批准。
reasons-requirement_answered = { $by } 已回答：{ $what ->
        [issue] 议题
        [cla] 协议已签署
        [words] 用自己的话说明这个改动
        [sign_off] 签署
       *[template] 模板所问的内容
    }。
reasons-pr_text_edited = { $by } 改写了文字：{ $note }
reasons-retried = { FILLED($note) ->
        [yes] 由 { $by } 重试：{ $note }
       *[no] 由 { $by } 重试。
    }
reasons-resumed = { FILLED($note) ->
        [yes] 由 { $by } 继续：{ $note }
       *[no] 由 { $by } 继续。
    }
reasons-retrying = 正在重试。
reasons-cannot_continue = 不能从 { $at } 继续；请用 /retry 指定一个状态。
reasons-card_replaced = 已被更新的卡片取代。
reasons-decision_expired = 没有人及时决定。

## Why a command is refused

refusals-no_run = 没有这个任务。
refusals-run_exists = 任务 { $run } 已经存在。
refusals-approved_already = { $by } 已经批准了，正在进行。
refusals-card_replaced = 那张卡片已被更新的取代；用 /pending 查看新的。
refusals-card_changed = 那张卡片所示的内容与现在会发布的不同；用 /pending 查看最新的。
refusals-more_risk = 对它的反对理由比对代理原来的请求更多（{ $policies }），因此不能代替。这个问题仍待回答。
refusals-card_expired = 那张卡片已过期；新的随后就到。
refusals-not_named = 这个批次指定了谁可以批准它的改动，你不在其中。
refusals-own_change = 发起人不能批准自己的改动；需要另一位审批人。
refusals-signed_already = 你已经签过了；还需要 { $left } 个签名。
refusals-other_approvers = 有策略指定了由谁批准：还需要其中一位：{ $names }。
refusals-chat_only = 只能在聊天里用消息或按钮批准。
refusals-own_key_needed = 有策略要求用你自己的通行密钥：请在看板上这项改动的页面批准。
refusals-own_key_refused = { $why ->
        [too_few] 还需要更多的人用自己的通行密钥签名。
        [unknown_key] 这个密钥没有登记在你名下；用 /passkey 注册。
        [untrusted_key] 这个密钥不在运维者的 approvalKeys 里。
       *[wrong_signature] 密钥签的不是将要发布的内容。请重新打开页面。
    }
refusals-text_missing = 请说明改哪些文字：标题、描述，或两者。
refusals-no_remark = 这条评审已经处理过，或者它的卡片已被新的取代。
refusals-no_answer = 第 { $nos } 条还没有回复内容。请回复评审那条消息：先写编号，再写你的回复。
refusals-script_reads_nothing = 这个任务由脚本完成，脚本不读任何话。
refusals-no_reader = 在那个状态下没有代理工作，没有人会读到你的话。请去掉状态，或去掉要说的话。
refusals-words_waiting = 已有 { $most } 条消息在等这个代理。它会先听这些。
refusals-words_heard = 代理已经听到了。
refusals-nothing_to_update = 还没有可以更新的改动。
refusals-under_way = 已有操作在进行；完成之后再试。
refusals-head_not_foreign = 分支上没有别人推送的内容。
refusals-head_moved = 分支又变了；采用之前请先看看现在的内容。
refusals-not_asked = 仓库没有要求这个：任务 { $run } 不需要这样的回答。
refusals-no_standing_grant = 任务 { $run } 没有长期允许的命令。
refusals-no_question = 任务 { $run } 的代理现在没有请求许可。
refusals-agent_at_work = 任务 { $run } 正在进行。可用 /tell 告诉它，或等它的卡片出现后再问。
refusals-no_conversation = 任务 { $run } 的引擎 { $engine } 没有可以提问的对话。
refusals-permission_first = 任务 { $run } 的代理正等着你的回答。请先回答它。
refusals-question_open = 任务 { $run } 的代理还有一个问题没有回答。请先等它的答案。
refusals-nothing_to_take_back = 任务 { $run } 没有可以回到的先前卡片，或者它的基准分支或分支之后已经变了。
refusals-committed = 任务 { $run } 已有提交，而签署是提交的一部分。请重新发起，或自己签署。
refusals-push_blocked = { $why ->
        [archived] 仓库已归档：在所有者取消归档之前无法推送。
       *[fork_deleted] 拉取请求来自的 fork 已不存在：恢复之前无法推送。
    }
refusals-foreign_head_first = 分支上有别人的提交。用 /take { $run } 继续。
refusals-plan_first = 需要先有人看过任务 { $run } 的计划：/plan { $run }。
refusals-plan_state_first = 需要先有人看过任务 { $run } 的计划；请从 PLAN_READY 继续。
refusals-nothing_missing = 任务 { $run } 没有可以跳过的检查。
refusals-no_commit = 任务 { $run } 还没有可以检查的提交。
refusals-has_pull = 任务 { $run } 有拉取请求，它会保持打开；/cancel { $run } 结束任务。
refusals-no_pull = 任务 { $run } 没有可以重新运行检查的拉取请求。
refusals-cannot_continue = 任务 { $run } 不能从 { $at } 继续；可以选：{ $possible ->
        [0] 无
       *[other] { LIST($possible, by: ", ") }
    }。
refusals-not_held_back = 任务 { $run } 不是已批准、正在等待创建时段的任务。
refusals-nothing_to_comment_on = 任务 { $run } 的指令不是来自可以评论的程序，或者链接已经在那里。
refusals-no_limit = 任务 { $run } 没有这一项的上限。
refusals-no_ban = 任务 { $run } 并没有停在禁令上。
refusals-reason_missing = 请说明为什么这条规则说的是别的事。
refusals-not_a_whole_number = 这不是整数。
refusals-limit_already = 上限已经是 { $limit }；请写更高的数，或用 + 表示再加多少。

## What to do instead of a refused command

refusalHints-order_again = 请用 /new 重新发起。
refusalHints-resume = 用 /resume { $run } 继续。
refusalHints-adopt_head = 用 /take { $run } 继续。
refusalHints-retry = 用 /retry { $run } 继续。
refusalHints-retry_now = 它会自动重试；/retry { $run } 立即重试。
refusalHints-then_ask_again = 然后再试一次。
refusalHints-decide_push = 它的卡片请求的是推送：请先决定这个。
refusalHints-card_follows = 需要决定时会有卡片。
refusalHints-fix = 它的拉取请求已创建；用 /fix { $run } 要求修改。
refusalHints-fix_in_progress = 已经在修复；推送之后再试。
refusalHints-no_pull_yet = 它还没有拉取请求；可以拒绝它的卡片并说明要做什么。
refusalHints-nothing_failed = 它没有失败。
refusalHints-not_paused = 它没有暂停。
refusalHints-cancel_retrying = 它会自动重试；用 /cancel { $run } 结束它。
refusalHints-already_stopped = 它已经停着：/retry { $run } 继续，/cancel { $run } 结束。
refusalHints-cancel = 用 /cancel { $run } 结束它。
refusalHints-under_way = 已有操作在进行；完成之后再试。
refusalHints-nothing_to_update = 还没有可以更新的改动。
refusalHints-not_theirs = 分支上没有别人推送的内容。

## Notes

notes-edited_text_late = 文字没有改动：新的文字还没检查完，{ $by } 就批准了卡片。
notes-edited_text_not_assessed = 文字没有改动：不清楚会发布什么。
notes-agent_asked =
    ❓ 代理有一个问题（工作照常继续）：

    { $question }

    请回复这条消息来回答。
notes-pull_description = { $how ->
        [edited_by_others] 修复已推送。有人改过 { $pull } 的描述，因此保持原样。
       *[failed] 修复已推送。{ $pull } 的描述没能更新；请在代码托管平台修改。
    }
costs-title = 代理的费用
costs-tokens = { NUMBER($n) } 个 token
costs-of = { $used }，上限 { $limit }
costs-limit = { $scope }，{ $period }
costs-scopes-all = 全部
costs-scopes-person = 仅 { $of }
costs-scopes-campaign = 批次 { $of }
costs-scopes-repository = 仓库 { $of }
costs-periods-day = 今天
costs-periods-month = 本月
costs-periods-ever = 总计
costs-by-person = 本月按人
costs-by-campaign = 本月按批次
costs-by-repository = 本月按仓库
costs-by-engine = 本月按引擎
costs-limits = 限额
costs-noLimits = 没有设置多个任务合计的限额。管理员可以设置：/budgets month $100
costs-raise = 提高一半
costs-noSuchLimit = 没有这个限额。/cost 会列出现有的。
costs-near = 预算已用大半：{ $limit }
costs-usedUp = 预算已用完：{ $limit }
costs-waitsUntil = 不再开始新的一轮。等待的任务会在 { $date }（UTC）自行继续；你提高预算后会立刻继续。
costs-waitsForRaise = 在你提高之前，不再开始新的一轮。
costs-raised = 预算已提高：{ $limit }
costs-raisedBy = { $who } 已提高到 { $amount }。等待的任务继续进行。
costs-isNow = 现在是 { $amount }。
costs-nameless = 没有名字的人
notes-pull_setup_refused = { $pull } 已创建（{ $url }），但批准的设置没有全部生效：{ LIST($refused, by: "；") }。其余与批准的一致。如有需要，请在代码托管平台上设置。
notes-item_comment = { $outcome ->
    [refused] 链接没有发到 { $url }：{ $message }
   *[unclear] 不清楚链接是否已发到 { $url }（{ $message }）。请去看看：不会再发第二次。
}
notes-pull_hidden = { $hidden ->
        [yes] 只有我们自己能看到 { $pull }（{ $url }）：没有以我们的账号登录的人，GitHub 都回答“找不到”，被它标记的账号就是这样。不再向别人的仓库发送任何东西。请联系它的支持人员（support.github.com）检查账号；{ $pull } 能被看到之后，等待的会继续。
       *[no] 所有人又能看到 { $pull } 了：{ $url }
    }
notes-pull_too_late = 拉取请求 { $pull } 在任务{ $ended ->
        [yes] 结束
       *[no] 停下
    }之前刚刚创建：{ $url }
notes-campaign_approver = 没有建立批次：它指定的审批人 { $who } 在这里没有审批权限。/users 会显示谁有。
notes-campaign_approvers = 没有建立批次：需要 { $needed } 个批准，而它指定的审批人中只有 { $left } 位能批准。
notes-approver_left = { $who } 不再有审批权限。批次 { $campaign } 由它指定的其余 { $left } 位审批人继续。
notes-campaign_pilot = 没有建立批次：第一步会涉及 { $first } 个仓库，而先行的最多 { $limit } 个。请调低 pace.canary；先行的仓库达到要求后，其余的会跟上。{ $script ->
        [yes] {" "}脚本可以例外：在主机的配置里设置 campaigns.scriptsMaySkipPilot。
       *[no] {""}
    }
notes-arrival_open = 已有它的预览：{ $campaign }。

## What an agent is told of its work

feedback-red = CI 未通过：{ $checks }
feedback-review =
    { $reviewer } 要求修改：

    { $body }
feedback-checks_failed = 检查没有通过。
feedback-tests_pass_on_base = 所有检查都通过，但你新增或修改的测试在基准分支上、没有其余修改时也通过。如果这次改动改变了行为，请让测试在没有它时失败；如果做不到，就保留测试并在摘要里说明。
feedback-step = 步骤 { $id }：{ $text }
feedback-step_passed = 步骤 { $id } 通过了我们的检查。
feedback-plan_has_no_step = 计划里没有步骤；“Next”需要正好一个。
feedback-goal_changed = 目标被改动了；请改回原样
feedback-done_lost = 已完成的步骤被移出了 Done
feedback-done_added = 步骤通过检查之后才由我们移到 Done

## Commands that fail on the base

commandFailures-no_box = 无法启动 `{ $command }` 的沙箱。`agentpr doctor` 会说明原因。
commandFailures-no_room = `{ $command }` 运行时内存、磁盘或进程数不足。请腾出一些，或调高 sandboxLimits。
commandFailures-killed = `{ $command }` 被机器终止（137），可能是内存不足。请腾出内存后重试。
commandFailures-over_limit = `{ $command }` 在基准分支上就被停止，那时还没有任何改动：{ $limit }。请调高所列的设置，或让命令用得更少，然后重试。
commandFailures-stale_lockfile = `{ $command }` 在基准分支上失败：锁文件与清单不一致。只有项目自己能修复。
commandFailures-not_installed = `{ $command }` 缺少依赖：之前的安装失败了。
commandFailures-fails = `{ $command }` 在这里的基准分支上就失败，那时还没有任何改动。

## Reasons, refusals and notes that code fills in

marks-explained = { $says }{ FILLED($why) ->
    [yes] （{ $why }）
   *[no] {""}
}
skippedFile = { $path }：{ $note }
# 没有记录的失败：AgentPR 自己的英文说明
marks-untranslated = 英文原文：“{ $words }”
marks-noCommit = （无）
timeSpans-seconds = { $n } 秒
timeSpans-minutes = { $n } 分钟
timeSpans-hours = { $n } 小时
reasons-slot_wait = { $waitsFor ->
    [slot] 等待空闲名额：{ $used }/{ $of } 个任务正在进行。
   *[day] 等待空闲名额：24 小时内已开始 { $used }/{ $of } 个任务。
}{ GIVEN($at) ->
    [yes] {" "}下一个名额：{ $at }。
   *[no] {""}
}
reasonsParts-does = { $action ->
    [open_pr] 创建拉取请求
    [push] 推送
    [rerun_ci] 重新运行检查
    [reply] 回复
   *[implement] 启动代理
}
reasonsParts-doesThen = { GIVEN($at) ->
    [yes] 将于 { $at }{" "}
   *[no] {""}
}{ reasonsParts-does }
reasonsParts-inLine = { reasonsParts-doesThen }，排在第 { $position } 位。
reasons-write_slot_wait = { $why ->
    [pace] { reasonsParts-inLine }
    [retry_after] { reasonsParts-inLine }GitHub 要求在此之前不要写入。
    [suspended] 暂停解除后才会{ reasonsParts-does }：GitHub 暂停了我们的账号。请联系它的支持人员，或请暂停我们 App 的人解除。
    [slot] 我们在那里的某个拉取请求合并或关闭后才会{ reasonsParts-does }：仓库不再接受我们的更多拉取请求。
    [new_owners] { reasonsParts-doesThen }：在更多改动被合并之前，每天最多 { $queueLength } 个新的所有者（thirdParty.newOwnersPerDay）。
    [third_party] 在别人的仓库打开的 { $queueLength } 个拉取请求中有一个合并或关闭后才会{ reasonsParts-does }（thirdParty.openPulls）。
    [merge_queue] 拉取请求离开合并队列后才会{ reasonsParts-does }：现在推送会让它退出队列。
    [provider] { reasonsParts-doesThen }：模型的提供方在此之前不接受请求。
    [spending] { GIVEN($at) ->
        [yes] { reasonsParts-doesThen }：预算已用完。见 /cost；管理员可以提高。
       *[no] 提高预算后才会{ reasonsParts-does }：预算已用完。见 /cost。
    }
    [opening_hours] { reasonsParts-doesThen }：创建时段之外不创建拉取请求（openings）。管理员可以用 /open_now 现在创建。
    [cool_down] { reasonsParts-doesThen }：有策略要求在最后一次批准之后等待。在此之前可以用 /deny 阻止。
    [owner_open] 在这个所有者那里打开的 { $queueLength } 个拉取请求中有一个合并或关闭后才会{ reasonsParts-does }（caps.openPerOwner）。合并或关闭其中一个就有位置。
    [repository_open] 这个仓库里打开的 { $queueLength } 个拉取请求中有一个合并或关闭后才会{ reasonsParts-does }（caps.openPerRepository）。合并或关闭其中一个就有位置。
    [hour_full] { reasonsParts-doesThen }：每小时最多创建 { $queueLength } 个（caps.perHour）。
    [day_full] { reasonsParts-doesThen }：每天最多创建 { $queueLength } 个（caps.perDay）。
   *[pulls_hidden] 所有人都能看到我们的拉取请求后才会{ reasonsParts-does }：其中一个现在只有我们自己看得到。
}
reasons-base_unusable = 没有启动代理。修好之后 /retry { $run }；或者跳过这些检查继续：/without { $run }
reasons-answers_missing = 也可以不提供就开始：拉取请求的卡片会写明缺了它。
reasons-competing_pulls = 已经有人在做：{ LIST($pulls, by: "；") }。确实需要再做一个，才开始。
reasons-rule_unmet = { $rule }。确认已解决后再开始。
reasons-plan_step_blocked = 计划的步骤 { $id } 无法进行：{ $text }。{ FILLED($notes) ->
    [yes] {" "}{ $notes }
   *[no] {""}
} 请决定怎么办，然后附上一句话重试。
reasons-plan_too_long = 计划已进行 { $rounds } 轮仍未完成{ GIVEN($about) ->
    [yes] ：{ $about }
   *[no] {""}
}。请把目标改小，或重试以继续。
reasons-step_failed = { GIVEN($inRow) ->
    [yes] 连续 { $inRow } 次没能连上代码托管平台。{" "}
   *[no] {""}
}{ $why }{ $endsHere ->
    [yes] {" "}然后重试，或取消任务。
   *[no] {""}
}{ $again ->
    [yes] {" "}我们会自动重试。
   *[no] {""}
}{ GIVEN($tries) ->
    [yes] {" "}已尝试 { $tries } 次。
   *[no] {""}
}{ GIVEN($retryAt) ->
    [yes] {" "}下次尝试：{ $retryAt }。
   *[no] {""}
}
reasons-no_changes = { $ignored ->
    [0] { $why }
   *[other] 没有 git 会提交的改动；仓库的 .gitignore 忽略了 { $ignored }。如果改动就在其中，请在目标里指定别的位置；否则请把目标说得更清楚。然后重试。
}{ $checksMayRun ->
    [yes] {" "}也可以改为重新运行检查。
   *[no] {""}
}{ FILLED($summary) ->
    [yes] {" "}它说：{ $summary }
   *[no] {""}
}
reasonsParts-within = { $limit ->
    [time] { $limitValue } 秒
    [memory] { $limitValue } MB 内存
   *[size] { $limitValue } MB{" "}
}
reasons-repository_unreadable = { GIVEN($foundInRun) ->
    [yes] 任务 { $foundInRun } 没能在 { reasonsParts-within }之内读完{ GIVEN($file) ->
        [yes] { $file }
       *[no] 这个提交
    }，所以没有再读。
   *[no] 没能在 { reasonsParts-within }之内读完{ GIVEN($file) ->
        [yes] 文件 { $file }
       *[no] 仓库
    }。
} 请查看那个文件，然后重试，或取消任务。
reasons-budget_exhausted = { $budget ->
    [fixes] 修复 { $used } 次后检查仍不通过，已达单个步骤的上限。
   *[other] 预算已用完：{ $name }，{ $usedAmount } / { $limitAmount }。
} 审批人可以提高它，例如 /budget { $run } { $budget } { $raise }，也可以取消任务。{ FILLED($about) ->
    [yes] {" "}（{ $about }）
   *[no] {""}
}
reasons-price_unknown = 这个任务最多可以花费 { $limit }，但不知道{ GIVEN($model) ->
    [yes] {" "}{ $model }{" "}
   *[no] 它的模型
}的价格，所以 { $engine } 没能使用它。审批人可以取消上限：/budget { $run } cost none。{ GIVEN($model) ->
    [yes] 或者在主机上写明价格（agentpr.config.json 中的 "gateway.prices": {"{"}"{ $model }": {"{"}"input": …, "output": …{"}}"}，单位是每百万 token 的美元），然后重新启动 AgentPR：任务会自动继续。
   *[no] 或者在引擎的参数中写明模型。
}也可以换一个引擎或模型重新下达。
reasons-iterating = 代理正在修复。
reasons-base_merge = 合并 { $ref } { $sha }：{ $commits } 个提交。{ $conflicts ->
    [0] {""}
   *[other] {" "}代理正在解决冲突：{ LIST($conflicts, by: ", ") }。
}
reasons-rerun_refused = 代码托管平台没有重新运行检查。{ FILLED($why) ->
    [yes] （{ $why }）
   *[no] {""}
}重试会开始修复。别人重跑并通过后，任务会继续。
reasons-rejected = 由 { $by } { $again ->
    [yes] 要求修改
   *[no] 拒绝
}{ FILLED($note) ->
    [yes] ：{ $note }
   *[no] 。
}
reasons-ended_by_person = 由 { $by } { $how ->
    [cancelled] 取消
    [denied] 拒绝
   *[skipped] 放弃
}{ GIVEN($because) ->
    [yes] ：{ $because }
   *[no] {""}
}。{ FILLED($note) ->
    [yes] {" "}{ $note }
   *[no] {""}
}{ GIVEN($pull) ->
    [yes] {" "}拉取请求 { $pull } 仍然开着。
   *[no] {""}
}
rivals-pull = { $author } 的 { $id }，“{ $title }”
requirements-ask = { $rule }。{ $what ->
    [issue] 请回复它的编号。
    [cla] 请回复你已签署。
    [words] 请用两三句话回复；会原样发布。
    [template] 请回复模板所问的内容。
   *[sign_off] 请回复用来签署的 姓名 <邮箱>；/settings signoff 可以保存它。
}
refusals-not_possible_now = 任务 { $run }{ $isOver ->
    [yes] {" "}已经结束（{ $heading }），不能{ $does }
   *[no] {" "}{ $state }，现在不能{ $does }
}。{ $hints }
refusals-no_card = 任务 { $run } 没有等待决定的卡片。{ $hints }
notes-edited_text_failed = 文字没有改动：{ $why }
notes-edited_text_rejected = 文字没有改动：{ $why }。
notes-pull_changed = { $pull } 在代码托管平台被修改：{ LIST($changes, by: "；") }。
notes-replies_denied = 回复没有发布。{ $objections }
notes-restarted = 我重新启动了{ GIVEN($away) ->
    [yes] ，中断了 { $away }
   *[no] {""}
}。你发的消息都没有丢{ $handled ->
    [0] {""}
   *[other] （现在处理了 { $handled } 条）
}{ $freed ->
    [0] {""}
   *[other] ；{ $freed } 个中断的步骤重新开始
}。
restarts-older = ⚠️ 账本被换回了较早的状态：此后的决定已无从得知。请检查打开的拉取请求；然后由运维者在主机上运行 `agentpr audit accept`。
restarts-missing = ⚠️ 已无法判断账本是否被换回较早的状态：keys/ledger.anchor 不见了。如果是你做的，请在主机上运行 `agentpr audit accept`。
restarts-setAside = ⚠️ 有 { $n } 件事两次让我停了下来，我已把它们搁置，继续处理其余的。/set_aside 列出其中的消息和事件。
restarts-run = { $repo } · { $id }：{ $state }
restarts-more = … 还有 { $n } 个
notes-ledger_changed = ⚠️ 账本被 AgentPR 以外的程序改过。以下任务与日志不符：{ LIST($runs, by: "、") }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
}。请检查它们的拉取请求。在主机上运行 `agentpr replay --all` 可看到改了什么。
notes-passkey_registered = 🔑 { $who } 注册了一个通行密钥：{ $fingerprint }。若不是本人所为，请告诉管理员用 /passkey 吊销。
notes-campaign_empty = { $of ->
    [0] 没有建立批次：没有找到仓库。
   *[other] 没有建立批次：{ $of } 个仓库都不参加。
}
excluded-target = { $repo }：{ $why }{ GIVEN($by) ->
    [yes] （{ $by }）
   *[no] {""}
}
notes-campaign_query = { $why ->
    [missing] 没有建立批次：{ $query } 不存在，或我们看不到。
    [lacks] 没有建立批次：这个代码托管平台无法搜索，所以不能查找 { $query }。请逐一写出仓库名。
    [refused] 没有建立批次：代码托管平台不接受 { $query }：{ $says }
    [limited] 没有建立批次：代码托管平台暂时不接受更多搜索。请{ GIVEN($wait) ->
        [yes] 过 { $wait }
       *[no] 稍后
    }再发一次。
   *[unreachable] 没有建立批次：现在无法查找 { $query }：{ $says } 请稍后再发一次。
}
notes-link_failed = 批次 { $campaign }：{ $why ->
    [tag] { $repo } 的发布名称含有不能写进命令的字符，它的版本无法使用。等待它下一次发布：
   *[ended] { $repo } 没有合并就结束了。因此不再开始：
}{ $stopped }{ GIVEN($more) ->
    [yes] {" "}{ $more }
   *[no] {""}
}。/campaign { $campaign } 显示整体进展。
notes-pulls_adopted = 批次 { $campaign } { GIVEN($adopted) ->
    [yes] { $adopted ->
        [0] 没有接收任何拉取请求：
       *[other] 新跟踪 { $adopted } 个拉取请求。它的卡片会计入结果；我不在那里写任何东西。
    }
   *[no] { $isSchedule ->
        [yes] 是定时批次，本身不跟踪拉取请求。请指定由它产生的某个批次。
       *[no] 不再接收拉取请求：它已结束，或不存在。
    }
}
notes-arrivals_full = 一天之内已收到 { $limit } 份预览（来源：{ $source }），{ $isFromIssue ->
    [yes] 其余的过一天再来
   *[no] 今天再来的不再显示
}。
notes-effect_stuck = { $step ->
    [poll] 我看不到代码托管平台：{ $says }。
   *[other] 有一步（{ $step }）失败了，已放弃：{ $says }。
} 任务停在{ GIVEN($state) ->
    [yes] ：{ $state }
   *[no] 原处
}。主机上的日志有更多说明；然后请 /retry 或 /cancel。

## What others changed in a pull request

pullChanges-title = 标题现在是“{ $to }”
pullChanges-base = 基准分支现在是 { $to }
pullChanges-reopened = 它被重新打开，任务继续跟进
pullChanges-body = 描述被修改了
pullChanges-draft = { $on ->
    [yes] 现在是草稿
   *[no] 现在可以评审了
}
pullChanges-locked = { $on ->
    [yes] 讨论已被锁定
   *[no] 讨论已重新开放
}
pullChanges-queued = { $on ->
    [yes] 进入了合并队列
   *[no] 离开了合并队列
}
pullChanges-auto_merge = { GIVEN($by) ->
    [yes] { $by } 开启了自动合并
   *[no] 自动合并已关闭
}
pullChanges-repo = 所在仓库现在是 { $to }
pullChanges-archived = { $on ->
    [yes] 所在仓库已归档，在维护者取消归档之前，谁也不能推送或合并
   *[no] 所在仓库已取消归档
}
pullChanges-private = { $on ->
    [yes] 所在仓库现在是私有的
   *[no] 所在仓库现在是公开的
}
pullChanges-head_deleted = { $on ->
    [yes] 它来自的 fork 已不存在，谁都无法再向它推送
   *[no] 它来自的 fork 又存在了
}
pullChanges-guarded = { $on ->
    [yes] 基准分支现在受保护
   *[no] 基准分支不再受保护
}
pullChanges-required = 合并前必须通过的项目：{ $changed }
pullChanges-labels = 标签 { $changed }
pullChanges-reviewers = 请 { $added } 评审

## What an agent is told, filled in by code

feedback-remarks = { $authors }：{ $n } 条意见
remarks-asked =
    {"["}{ $no }] { GIVEN($path) ->
        [yes] { $path }{ GIVEN($line) ->
            [yes] :{ $line }
           *[no] {""}
        }
       *[no] 整体
    } { $author }{ $answer ->
        [yes] （这一条不改代码，只在报告里提出回复）
       *[no] {""}
    }：
    { $body }{ FILLED($hunk) ->
        [yes] {""}
            所指的代码：
            { $hunk }
       *[no] {""}
    }
feedback-denied = 有策略禁止这个改动：{ $objections }
feedback-step_changed_nothing = 步骤 { $id } 没有改动任何{ FILLED($files) ->
    [yes] 可以提交的文件（{ $files }）
   *[no] 文件
}。请拆分它、换种做法，或标为受阻并在 Notes 里说明原因。
feedback-acceptance_lost = 验收条件被拿掉了：{ $commands }

## What the base lacks or fails

baseline-stopped = { $fault ->
    [environment] 这台机器还不能用于这个仓库
    [undecided] 基准分支在这里没能安装依赖
   *[install] 基准分支无法安装依赖
}。{ $failure }{ $ciGreen ->
    [yes] 这个提交的 CI 是通过的，所以是这台机器不同。
   *[no] {""}
}{ FILLED($says) ->
    [yes] 首个错误：{ $says }
   *[no] {""}
}{ $more ->
    [0] {""}
   *[other] 另有 { $more } 条命令也因此无法运行。
}
baseline-mismatch = 这里是 { $name } { GIVEN($version) ->
    [yes] { $version }
   *[no] ?
}，仓库要求 { GIVEN($asked) ->
    [yes] { $asked }
   *[no] ?
}{ FILLED($source) ->
    [yes] （{ $source }）
   *[no] {""}
}
baseline-mismatches = { LIST($mismatches, by: "；") }。
baseline-failing = 在基准分支上已经不通过：{ LIST($checks, by: ", ") }。不会算在这次改动上。
baseline-flaky = 在基准分支上时好时坏：{ LIST($checks, by: ", ") }。
baseline-otherVersion = { $command }@<版本>
commandFailuresParts-registry = { GIVEN($host) ->
    [yes] { $host }
   *[no] 软件源
}{ GIVEN($status) ->
    [yes] （HTTP { $status }）
   *[no] {""}
}
commandFailuresParts-host = { GIVEN($host) ->
    [yes] { $host }
   *[no] 软件源
}
commandFailures-no_program = 这台机器没有 { GIVEN($program) ->
    [yes] { $program }
   *[no] 程序
}，而 `{ $command }` 需要它。{ $ways ->
    [0] 请在主机上安装它。
   *[other] 获取方法：{ LIST($ways, by: " 或 ") }。
}
commandFailures-no_network = { GIVEN($host) ->
    [yes] `{ $command }` 连不上 { $host }。请检查这台机器的网络、DNS 和代理服务器，以及 network.hosts 是否列出了它，然后重试。
   *[no] `{ $command }` 连不上它需要的主机（软件源，或它自己访问的地址）。请检查这台机器的网络、代理服务器和软件源设置。
}
commandFailures-registry_refused = `{ $command }` 被 { commandFailuresParts-registry } 拒绝。请检查这台机器为它配置的凭据和地址（环境变量，或仓库里的软件源设置），然后重试。
commandFailures-registry_down = `{ $command }` 失败，因为 { commandFailuresParts-registry } 现在无法使用。仓库本身没有问题：请稍等，然后重试。
commandFailures-bad_certificate = `{ $command }` 不信任 { commandFailuresParts-host } 的证书。请在这台机器上指明签发它的机构（NODE_EXTRA_CA_CERTS、SSL_CERT_FILE、PIP_CERT 等），然后重试。
commandFailures-proxy_refuses = `{ $command }` 在前往 { commandFailuresParts-host } 的路上被代理服务器拒绝。请检查 HTTPS_PROXY 里的用户和密码、代理服务器允许的范围以及 NO_PROXY，然后重试。
commandFailures-wrong_version = `{ $command }` 需要的 { GIVEN($program) ->
    [yes] { $program }
   *[no] 程序
} 版本与这台机器上的不同。{ $ways ->
    [0] 请在主机上安装所需的版本。
   *[other] 获取方法：{ LIST($ways, by: " 或 ") }。
}
commandFailures-no_package = `{ $command }` 要的某个软件包在 { commandFailuresParts-host } 里没有。镜像可能滞后或不全：请改用项目所用的软件源。如果那里也没有，就只有项目自己能修复。

## What each policy guards, and when it objects

policyAbout-no_secrets-guards = 密钥和令牌不外泄
policyAbout-no_secrets-escalates = 新增或说出的内容可能是密钥，或者某个文件可能用来存放密钥
policyAbout-no_secrets-denies = 新增的行、名字或将要公开的文字看起来像密钥或令牌，或者某个文件是用来存放密钥的
policyAbout-hidden_lines-guards = 签的就是所看到的
policyAbout-hidden_lines-escalates = 改动中有一行因为隐藏了其中的密钥而没有原样显示
policyAbout-no_write_outside_workspace-guards = 只改动仓库里的文件
policyAbout-no_write_outside_workspace-denies = 路径或命令离开了工作区，或伸进了 .git
policyAbout-no_symlink_escape-guards = 链接不离开仓库
policyAbout-no_symlink_escape-denies = 符号链接指向仓库之外
policyAbout-no_gitlinks-guards = 不引入别的仓库
policyAbout-no_gitlinks-escalates = 删除了子模块
policyAbout-no_gitlinks-denies = 新增或移动了子模块指针
policyAbout-no_binary-guards = 发布的内容人能读懂
policyAbout-no_binary-escalates = 文件是二进制的、指向存放在别处的文件，或本应存放在别处
policyAbout-no_binary-denies = 文件大得无法通读
policyAbout-hidden_text-guards = 读到的就是实际的内容
policyAbout-hidden_text-escalates = 有看不见的字符、一个词里混有多种文字、一行长得无法阅读，或只改了空白
policyAbout-hidden_text-denies = 双向控制符改变了文字在屏幕上的顺序
policyAbout-no_odd_files-guards = 工作区只产出普通文件
policyAbout-no_odd_files-escalates = 代理留下了嵌套的仓库、特殊或链接的文件、有问题的名字，或太大的文件
policyAbout-no_workflow_edit_without_human-guards = CI 运行的内容
policyAbout-no_workflow_edit_without_human-escalates = 改动了 CI 文件
policyAbout-agent_config_changed-guards = 引导编码代理的内容
policyAbout-agent_config_changed-escalates = 改动了编码代理会遵从的文件
policyAbout-trust_roots_changed-guards = 包、钩子和子模块的来源
policyAbout-trust_roots_changed-escalates = 改动了决定它的文件
policyAbout-forbidden_paths-guards = 运维者列出的路径
policyAbout-forbidden_paths-denies = 改动的路径属于其中之一
policyAbout-protected_paths-guards = 需要签名的路径
policyAbout-protected_paths-escalates = 改动的路径属于其中之一
policyAbout-lockfile_needs_manifest-guards = 依赖的变化让人看得见
policyAbout-lockfile_needs_manifest-escalates = 锁文件变了，而它的清单没变
policyAbout-no_test_deletion-guards = 测试继续起作用
policyAbout-no_test_deletion-escalates = 有测试消失、被跳过、检查得更少或少了几行
policyAbout-max_diff_size-guards = 改动小到可以读完
policyAbout-max_diff_size-escalates = 文件、行或字节数超过上限
policyAbout-max_diff_size-denies = 它放不进聊天能完整显示的一个文件（8 MB）
policyAbout-no_push_to_default_branch-guards = 只推送到我们自己的分支
policyAbout-no_push_to_default_branch-denies = 该分支是默认分支、基准分支，或受保护的分支
policyAbout-open_pr_limit-guards = 不让项目被淹没
policyAbout-open_pr_limit-escalates = 我们在那里打开的拉取请求已达上限、数目未知，或第一个拉取请求行数太多
policyAbout-public_text-guards = 文字不会触发任何动作
policyAbout-public_text-escalates = 标题、正文、提交说明或分支会呼叫某人、关闭议题、跳过 CI 或给机器人下命令
policyAbout-public_text-denies = 评论或回复给机器人下命令，而机器人可能会合并
policyAbout-comment_length-guards = 评论值得一读
policyAbout-comment_length-escalates = 它超过上限
policyAbout-comment_length-denies = 它是空的，或超过代码托管平台的上限
policyAbout-comment_needs_human-guards = 没有人读过的话不以我们的名义说出
policyAbout-comment_needs_human-escalates = 将要发表评论或回复：总是如此
policyAbout-contribution_rules-guards = 项目的要求
policyAbout-contribution_rules-escalates = 没有遵守某条规则、只有人能遵守它，或不知道有哪些规则
policyAbout-contribution_rules-denies = 项目不接受代理所作的改动
policyAbout-checks_must_pass-guards = 发布的内容经检查能用
policyAbout-checks_must_pass-escalates = 没有任何检查能够运行
policyAbout-checks_must_pass-denies = 有检查失败或没有结束
policyAbout-check_config_changed-guards = 评判改动的东西不会悄悄改变
policyAbout-check_config_changed-escalates = 改动的文件被检查命令提到，或由运行器读取
policyAbout-no_high_risk_command-guards = 会丢失或隐藏东西的命令
policyAbout-no_high_risk_command-escalates = 命令可能丢失或隐藏东西，或无法读懂
policyAbout-no_high_risk_command-denies = 命令会取得权限、发布，或毁掉无法恢复的东西
policyAbout-no_network_without_human-guards = 网络
policyAbout-no_network_without_human-escalates = 命令使用网络
policyAbout-known_command-guards = 只读取或检查的命令
policyAbout-known_command-allows = 命令的每一部分都为我们所知
policyAbout-high_risk_needs_human-guards = 危险的事由人签名
policyAbout-high_risk_needs_human-escalates = 风险高，或风险不低而别人已经在看
policyAbout-small_change-guards = 通常的情况
policyAbout-small_change-allows = 对普通文件的小改动，检查全部通过，没有提高风险的东西
policyAbout-explicit_allow-guards = 不因疏漏而放行
policyAbout-explicit_allow-escalates = 没有策略自行放行它

## What agentpr policy explain and list say

policyWords-title = { $decision ->
        [allow] 允许
        [escalate] 由人决定
       *[deny] 被拒绝
    }，风险{ $risk ->
        [low] 低
        [medium] 中
       *[high] 高
    }，依据策略 { $version }
policyWords-stated = { $policy }：{ $reason }{ GIVEN($guards) ->
        [yes] （守护：{ $guards }）
       *[no] {""}
    }
policyWords-raised = 风险{ $level ->
        [low] 低
        [medium] 中
       *[high] 高
    }，{ $finding }：{ $reason }
policyWords-can-deny = 任何人都不能签名放行。请重试，代理会得知原因；或者结束任务。
policyWords-can-escalate = 看过卡片后签名，或说明原因拒绝，代理会得知原因。
policyWords-can-allow = 没有策略阻碍它；但仍要有人签名之后才会创建拉取请求。
policyWords-can-change_settings = 运维者可以在 agentpr.config.json 里改动 { $settings }；之后会重新评估。
policyWords-can-repository_file = 以 repository:… 开头的策略在基准分支的 .agentpr.json 里。
policyWords-ownPolicy = policies.custom 里的 { $name }
policyWords-list-policies = 策略 { $version }
policyWords-list-denies = 何时拒绝：{ $denies }
policyWords-list-escalates = 何时由人决定：{ $escalates }
policyWords-list-allows = 允许：{ $allows }
policyWords-list-setting = 设置 { $name } = { $value }
policyWords-list-elsewhere = { $repositories } 另有上限：用 --repo owner/name 查看。
policyWords-last-push = 最近一次推送（{ $when }）：{ $says }
policyWords-last-open_pr = 最近一次创建拉取请求（{ $when }）：{ $says }
policyWords-refused = 被拒绝（{ $when }）：{ $says }
policyWords-signedBy = 已由 { $names } 批准。
policyWords-openNow = 管理员可以在规定时间之前打开它：agentpr run open-now { $run }
policyWords-silent = 还没有策略对这个任务表态：还没有要发布的内容。
## What is wrong with the ledger's database

databaseFaults-damaged = 账本文件已损坏。请停止 agentpr，保留数据目录的一份副本，并从备份恢复 ledger.db。
databaseFaults-not_writable = 无法写入账本：它的目录或文件是只读的。请给当前用户写数据目录的权限。
databaseFaults-not_openable = 无法打开账本。请检查数据目录是否存在，以及当前用户能否读写它。
databaseFaults-folder_for_file = 数据目录中，应是文件的地方是目录，或应是目录的地方是文件。请把它移开，或从备份恢复目录。
databaseFaults-in_use = 账本被另一个程序占用太久。请关闭正在打开 ledger.db 的程序，然后重试。
databaseFaults-disk_error = 读写账本时磁盘出错。请检查磁盘及其剩余空间，然后重新启动。
databaseFaults-unreached = 无法连接账本的 Postgres。请启动它，或检查 DATABASE_URL 和网络；它恢复后 agentpr 会自动继续。
databaseFaults-no_connection_left = 账本的 Postgres 没有剩余连接。请提高它的 max_connections，或关闭占用连接的程序；每个 agentpr 进程最多需要 15 个。
databaseFaults-password_refused = 账本的 Postgres 拒绝了 DATABASE_URL 中的用户或密码。
databaseFaults-user_refused = 账本的 Postgres 不允许这个用户从这台机器登录。请检查 DATABASE_URL 中的用户和它的 pg_hba.conf。
databaseFaults-database_missing = DATABASE_URL 指定的数据库不存在。请创建：createdb <name>。
databaseFaults-read_only = 账本的 Postgres 不接受写入：它是备用服务器，或被设为只读。请让 DATABASE_URL 指向主服务器。
databaseFaults-right_missing = DATABASE_URL 中的用户在其数据库中没有这项权限：启动时要在那里创建表、函数和触发器。请让它成为所有者：alter database <name> owner to <user>。
databaseFaults-no_schema = DATABASE_URL 中用户的 search_path 没有指向已存在的模式。请创建（create schema <name> authorization <user>），或改用另一个（alter role <user> set search_path = <name>）。
databaseFaults-no_ledger = DATABASE_URL 指定的数据库中没有账本。请先用它启动一次 agentpr。
databaseFaults-postgres_damaged = 账本的 Postgres 发现自己的文件已损坏。请停止 agentpr，保留一份副本，并从备份恢复数据库。
databaseFaults-wants_encryption = 账本的 Postgres 不允许这个用户从这台机器建立未加密的连接。多半是它只接受加密连接：请在 DATABASE_URL 后加上 ?sslmode=verify-full。否则就是它的 pg_hba.conf 缺少一行。
databaseFaults-no_encryption = 账本的 Postgres 不支持加密连接，而 DATABASE_URL 要求加密（sslmode）。请在那里启用 TLS，或在没有人能窃听的地方去掉 sslmode。
databaseFaults-password_missing = 账本的 Postgres 需要密码，而 DATABASE_URL 中没有：postgres://user:password@host:5432/name。
databaseFaults-not_utf8 = DATABASE_URL 指定的数据库不能保存所有文字。请用 UTF8 创建：createdb -E UTF8 -T template0 <name>。
databaseFaults-pooled = DATABASE_URL 指向事务模式的连接池（PgBouncer、Supavisor 等），它把一个会话分给多个程序：阻止第二个 AgentPR 的锁会失效。请填写 Postgres 本身的地址，或会话模式连接池的地址。
databaseFaults-not_made = 账本还没有创建。请启动 control：agentpr start --role control。
databaseFaults-schema_old = 账本还需升级到本版本的结构。请启动本版本的 control。
databaseFaults-key_missing = 缺少密钥 { $file }。请从 control 的数据目录复制 keys/。
databaseFaults-standing_by = { $why } 本进程先待命。
databaseFaults-newer_schema = 账本由更新版本的 agentpr 创建（迁移 { $migration }）。请重新启动那个版本，或改用另一个数据目录。
databaseFaults-newer_found = 账本由更新版本的 agentpr 创建（迁移 { $migration }）。
databaseFaults-newer_control = 账本由更新版本的 agentpr 创建。请在这里也安装那个版本。
databaseFaults-schema_failed = 无法把账本升级到最新结构：{ $says }。没有做任何更改。
databaseFaults-migration_failed = 无法把账本升级到最新结构（迁移 { $migration }）：{ $says }。没有做任何更改。
databaseFaults-peers_at_work = 账本须升级到本版本的结构，而其他 agentpr 进程正在使用它。请先停止所有 worker，再启动 control。
databaseFaults-control_taken = 另一个 control（{ $holder }）正在使用这个 Postgres 中的账本。
databaseFaults-postgres_taken = 另一个程序（{ $holder }）正在使用这个 Postgres 中的账本。请先停止它，或改用另一个数据库。
databaseFaults-holder_gone = 刚刚结束
databaseFaults-directory_taken = 另一个 agentpr{ $holder } 正在使用 { $directory }。请先停止它，或改用另一个数据目录。
databaseFaults-commits_lost = 账本的 Postgres 恢复后缺少它已确认的内容：它切换到了落后的备用服务器，或被换成了较旧的副本。请重新启动 agentpr：它在创建任何拉取请求之前会先查看代码托管平台，agentpr replay --all 会说明账本现有的内容；然后运行 agentpr audit accept。
databaseFaults-no_answer = Postgres 没有回应。
databaseFaults-jobs_timing = pg-boss 的时限与 AgentPR 所需的不同（心跳 { $heartbeat } 秒，每个任务最多 { $longest } 秒）。请删除它的模式 pgboss，然后重新启动。
databaseFaults-installation_changed = 账本中的用户和设置被 agentpr 以外的人改动过。请查看 agentpr replay --all，并从备份恢复 ledger.db。
databaseFaults-installation_gone = 账本的用户和设置不见了，因此无法与伪造的账本区分。请从备份恢复 ledger.db。
databaseFaults-export_table_unknown = 导出文件中有 { $table } 的行，而账本没有这张表。
databaseFaults-export_row_unreadable = 导出文件中有一行 { $table } 无法读取。
databaseFaults-keys_differ = { $folder } 中的密钥不属于这个账本，或账本被改动过。请从 control 的数据目录复制 keys/。
databaseFaults-places_taken = { $folder } 中的 { $most } 个位置都已被占用。
databaseFaults-place_unreadable = 无法读取 { $file }。请删除它，然后重新启动。
databaseFaults-directory_not_made = 无法创建数据目录 { $directory }（{ $says }）。请选择当前用户可以写入的目录。
databaseFaults-no_shared_memory = 数据目录所在的文件系统不支持共享内存。请使用本地磁盘，不要用网络磁盘。
databaseFaults-ledger_lost = 账本 { $file } 不见了或是空的，而这里曾有账本。请从备份恢复；如要新建账本，请先删除 { $anchor }。
databaseFaults-directory_of_other = 数据目录 { $directory } 属于另一个用户（id { $owner }，当前是 { $user }）。请以那个用户启动 agentpr，或改用另一个数据目录。
databaseFaults-restore_unfinished = 向 { $directory } 的恢复没有完成。请用同一份备份再运行一次 agentpr restore：它会从头开始。
databaseFaults-copy_source_empty = 要复制的账本是空的，或是一份没有完成的副本。
databaseFaults-copy_target_taken = 目标中已有账本。请选择空的数据库，或把其中的 ledger.db 移开。
databaseFaults-copy_rows_differ = 目标的 { $table } 中的行与来源不同：它们属于另一个账本，或来自较早的副本，而来源之后又有变化。请清空目标，然后重新复制。
databaseFaults-ledger_key_lost = 缺少账本的密钥 { $file }，因此无法把账本与伪造的区分开。请从备份恢复密钥。
databaseFaults-ledger_key_open = 其他用户可以读取账本的密钥 { $file }。请运行：chmod 600 { $file }
databaseFaults-ledger_key_damaged = 账本的密钥 { $file } 已损坏，或不是密钥。请从备份恢复密钥。
databaseFaults-ledger_in_file = DATABASE_URL 指定的数据库中没有账本，而 { $file } 中有。请先把它复制过去：agentpr ledger copy --from { $directory } --to postgres。
databaseFaults-postgres_ledger_lost = DATABASE_URL 指定的数据库中没有账本，而那里曾有账本。请从备份恢复；如要新建账本，请先删除 { $anchor }。
databaseFaults-no_ledger_in = { $directory } 中没有账本。请先用它启动一次 agentpr。
databaseFaults-backup_name_taken = { $file } 已存在，没有改动它。请换一个名称。
databaseFaults-backup_disk_full = 磁盘已满：没有创建备份，{ $file } 处也没有留下任何内容。
databaseFaults-backup_needs_room = 备份首先需要在 { $directory } 中为账本的副本留出空间：需要 { $needed } MB，而可用空间为 { $free } MB。
databaseFaults-file_changed = { $file } 在读取期间发生了变化。
databaseFaults-restore_not_empty = { $directory } 不是空目录（{ $names }）。请恢复到空目录：先把这个目录移开。
databaseFaults-restore_disk_full = 磁盘已满：没有恢复任何内容。请释放一些空间，然后重试。
databaseFaults-backup_missing = 文件 { $file } 不存在。
databaseFaults-not_restored = 无法恢复 { $file }。{ $why }
databaseFaults-archive_without_keys = 创建它时没有包含密钥：请用 --keys 指明密钥的位置，即旧数据目录的 keys/。
databaseFaults-archive_newer = 它由更新版本的 agentpr 创建（迁移 { $migration }）：请先安装那个版本。
databaseFaults-archive_of_other_keys = 其中的账本与密钥不匹配。
databaseFaults-archive_sealed = 它已加密。请用 --identity 或 --passphrase-file 指明用什么打开。
databaseFaults-archive_not_opened = 用那个密钥或口令打不开它，或它已损坏。
databaseFaults-archive_foreign = 它不是 agentpr 的备份。
databaseFaults-archive_cut = 它不是 agentpr 的备份，或没有完整复制。
databaseFaults-archive_damaged = 它已损坏，或没有完整复制。
databaseFaults-archive_differs = 它已损坏：内容与写入时不同。
databaseFaults-archive_file_unplain = 其中的 { $name } 不是普通文件。
databaseFaults-archive_file_foreign = 其中的 { $name } 不属于 agentpr 的备份。
databaseFaults-archive_goes_on = 在它的结尾之后还有文件。
databaseFaults-archive_without_ledger = 其中没有账本。
databaseFaults-archive_form_unknown = 它的格式与本版本的 agentpr 所能读取的不同。

## This language and its calendar

name = 中文
calendar-weekdays-sunday = 周日
calendar-weekdays-monday = 周一
calendar-weekdays-tuesday = 周二
calendar-weekdays-wednesday = 周三
calendar-weekdays-thursday = 周四
calendar-weekdays-friday = 周五
calendar-weekdays-saturday = 周六
calendar-date = { $month }月{ $day }日
calendar-units-s = {" "}秒
calendar-units-m = {" "}分钟
calendar-units-h = {" "}小时
calendar-units-d = {" "}天

## The command line: why a command ends without having done its work

commandLine-failures-told = { $says }
commandLine-failures-settings_wrong = { $says }
    { $step ->
    [file] 请修正该文件；docs/configuration.md 列出了里面可以写什么。
    [both] 环境变量参见 .env.example，agentpr.config.json 参见 docs/configuration.md。
   *[example] 参见 .env.example，或运行 `npx agentpr init`。
}
commandLine-failures-no_file = 没有文件 { $file }。
commandLine-failures-is_folder = { $file } 是目录。请给出一个文件。
commandLine-failures-unreadable = 无法读取 { $file }：{ $says }
commandLine-failures-not_plain_text = { GIVEN($file) ->
    [yes] { $file }
   *[no] 标准输入
} 不是纯文本。请另存为 UTF-8。
commandLine-failures-no_directory = 没有目录 { $path }。
commandLine-failures-no_run = 没有任务 { $run }。
commandLine-failures-no_listed_run = 没有任务 { $run }。用 `agentpr run list --all` 查看全部。
commandLine-failures-no_campaign = { $says }用 `agentpr campaign list` 查看全部。
commandLine-failures-which_run = 请给出任务，或使用 --all。
commandLine-failures-was_refused = { GIVEN($says) ->
    [yes] { $says }
   *[no] 被拒绝了。
}
commandLine-failures-not_written_right = 命令的写法不对。请看 --help。
commandLine-failures-bad_key = 幂等键的长度为 1 到 { $max } 个字符。
commandLine-failures-bad_report_period = “{ $since }”不是可以统计的时间段。请写 30d、12w 或 all。
commandLine-failures-bad_insight_period = “{ $since }”不是可以查看的时间段。请写 30d、12w 或 all。
commandLine-failures-no_hook = agentpr.config.json 里没有 arrivals.hooks.{ $name }。
commandLine-failures-hook_without_program = arrivals.hooks.{ $name } 没有 `from`：它的调用是批次文件。
commandLine-failures-no_order_in_payload = 这个内容不构成指令：{ $why }
commandLine-failures-not_json = { $file } 不是 JSON：{ $says }
commandLine-failures-no_json = { $from } 里没有 JSON。
commandLine-failures-two_goals = 批次文件里已有目标。命令里请不要再写。
commandLine-failures-options_beside_file = 使用批次文件时不能再给出这些选项。请去掉：{ $options }
commandLine-failures-confirm_alone = --confirm 要与 --pulls 一起用。只关闭批次本身时请去掉它。
commandLine-failures-pulls_and_cancel = --pulls 与 --cancel 不能一起用。请先用 --cancel 关闭。
commandLine-failures-no_passphrase = { $file } 的第一行没有口令。
commandLine-failures-no_backup_reader = 请指定谁能读取备份：--recipient <age1…>、--passphrase-file <file>，或用 --plain 表示拿到文件的人都能读。
commandLine-failures-short_passphrase = 口令至少要有 { $min } 个字符，否则容易被猜到。
commandLine-failures-no_recipient = "{ $name }" 不是 age 的收件人。收件人以 age1 开头；可用 `age-keygen` 生成。
commandLine-failures-no_identity = { $files } 里没有 age 的身份。
commandLine-failures-ledger_in_postgres = 账本在 Postgres 里。请用 pg_dump 备份它，并一同保存数据目录里的 keys/ 目录。
commandLine-failures-backup_stopped = 已停止：没有生成备份。
commandLine-failures-no_backup = { $path } 里没有备份。
commandLine-failures-lines_after_end = 导出文件的结尾之后还有别的行。
commandLine-failures-no_export_row = { $file } 里有一行不是导出的记录。
commandLine-failures-incomplete_export = { $file } 不是完整的导出文件：缺少最后一行。
commandLine-failures-unreliable_export = 这份导出文件不可信：{ $says }。
commandLine-failures-no_receipt = 这段文字里没有 AgentPR 的回执。
commandLine-failures-try_on_copy = 请先在数据库的副本上试迁移（createdb -T），再用于这个数据库。
commandLine-failures-no_postgres = DATABASE_URL 没有指定 Postgres。
commandLine-failures-no_turns = 任务 { $run } 没有轮次记录：只有 builtin 引擎会记录。
commandLine-failures-not_https = { $url } 必须以 https:// 开头，以免途中被人改动。
commandLine-failures-url_unread = 无法读取 { $url }：{ $says }。
commandLine-failures-url_answered = { $url } 返回了 { $status }。{ $wantsToken ->
    [yes] 私有仓库需要 GITHUB_TOKEN。
   *[no] {""}
}
commandLine-failures-too_long = { $url } 的内容太长。
commandLine-failures-no_pull = { $from } 不是 GitHub API 给出的拉取请求（title、body、head.sha、base.ref、base.repo.full_name）。
commandLine-failures-no_pull_link = { $link } 不是拉取请求的链接。
commandLine-failures-no_published_keys = { $from } 里没有 `agentpr receipt-keys` 输出的公钥。
commandLine-failures-no_repository_there = { $path } 不是 Git 仓库。
commandLine-failures-no_envelope_of_it = 这张回执是早先的格式，没有信封。
commandLine-failures-no_log_key = 账本还没有可为日志签名的密钥；首次启动时会生成。
commandLine-failures-no_receipt_key = 没有密钥 { $key }。用 `agentpr receipt-keys` 查看全部。
commandLine-failures-no_prompt = 请给出提示词：--prompt "<text>" 或 --prompt-file <file>（“-”读取标准输入）。
commandLine-failures-no_engine = 这个版本没有引擎 { $engine }；可用的有：{ $known }。
commandLine-failures-no_home = 没有设置 HOME，当前账号也没有主目录。请把它设为一个目录。
commandLine-failures-bad_minutes = --minutes { $minutes }：这不是分钟数。
commandLine-failures-no_port = { $given } 不是端口。请写 0 到 65535 的数字。
commandLine-failures-no_api_token = AGENTPR_API_TOKEN 未设置、少于 { $min } 个字符，或含有字母、数字和 . _ ~ + / - 以外的字符。请在 .env 里放一个随机值，例如 `openssl rand -hex 24` 的输出。
commandLine-failures-any_port = AGENTPR_HTTP_PORT 为 0，无法知道端口。请给出 --url。
commandLine-failures-bad_address = { $address } 不是像 http://127.0.0.1:8787 这样的地址。
commandLine-failures-nobody_answers = { $url } 上没有 AgentPR 应答{ GIVEN($cause) ->
    [yes] （{ $cause }）
   *[no] {""}
}。请用 `agentpr start` 启动它。
commandLine-failures-bad_event = { $event } 不是事件的名称，例如 check_run 或 pull_request。
commandLine-failures-no_webhook_secret = 没有设置 GITHUB_WEBHOOK_SECRET。没有它就不接受任何 webhook。
commandLine-failures-not_received = { $status }：{ $says }
commandLine-failures-app_not_made = 无法创建 App：{ $says }。没有写入任何内容。
commandLine-failures-app_too_late = 半小时内没有人创建 App。没有写入任何内容。
commandLine-failures-one_scope = 请二选一：--system 或 --user。
commandLine-failures-account_of_user = --as 用于系统服务。用户服务以该用户的身份运行。
commandLine-failures-which_account = 请指定以哪个账号运行：--as <account>。可用 `useradd --system --create-home agentpr` 创建一个。它只需要访问自己文件的权限。
commandLine-failures-no_account = 没有账号 { $account }。可用 `useradd --system --create-home { $account }` 创建。
commandLine-failures-in_npx_cache = 这个 agentpr 在 npx 的缓存里，npm 随时可能清空它。请先安装（克隆仓库并运行 `npm ci`，或在单独的目录里运行 `npm install <发行版的 .tgz>`），再在那里运行 `npx agentpr service install`。
commandLine-failures-odd_path = systemd 不接受含有控制字符的路径：{ $path }
commandLine-failures-other_owner = { $file } 属于另一个账号（id { $owner }），而不是服务的账号（{ GIVEN($account) ->
    [yes] { $account }
   *[no] 你自己
}，id { $id }）。请运行：chown -R { GIVEN($account) ->
    [yes] { $account }
   *[no] { $id }
} '{ $file }'
commandLine-failures-systemd_silent = systemd 没有应答：{ $says }。{ $scope ->
    [user] 请以该用户的身份登录（例如通过 ssh）：`su` 和 `sudo` 不会带来会话。
   *[system] {""}
}没有做任何改动。
commandLine-failures-no_systemd = 这台机器不是由 systemd 运行的。`--print` 会输出单元；其他办法见 docs/run-it-for-a-year.md。
commandLine-failures-foreign_unit = { $file } 不是 agentpr 写的，保持原样。请换一个 --name。
commandLine-failures-foreign_unit_stays = { $file } 不是 agentpr 写的，保持原样。
commandLine-failures-no_unit = 没有 { $file }。
commandLine-failures-systemctl_failed = `{ $command }` 失败：{ $says }
commandLine-failures-demo_folder_used = { $path } 不是空的。演示每次都从头开始，因为它的 Telegram 和代码托管平台会随它一起结束。请用 --data 指定新目录，或清空这个目录。查看以前演示的账本：agentpr replay --all --data { $path }
commandLine-failures-no_such_task = --task 是 1 到 { $max } 之间的数字。
commandLine-failures-who_changes = 使用 --repo 时，请指定由谁来改：--script "<command>"（在仓库里运行），或 --engine <name> 加 --goal "<what to do>"，即一个你已登录的编码代理。
commandLine-failures-not_cloned = 无法克隆 { $url }：{ $says }
commandLine-failures-campaign_stuck = 批次没有走到结尾：
    { $runs }
commandLine-failures-run_stuck = { GIVEN($state) ->
    [yes] 任务停在 { $state }：{ $reason }
   *[no] 任务没有开始：什么也没有发生
}
commandLine-failures-demo_without_run = 没有任务。
commandLine-failures-no_proof = 证明不成立；见上文。
commandLine-failures-demo_stopped = 演示在结束之前被停止了。
commandLine-failures-demo_untrue = 演示没有做到它所说的；见上文。
commandLine-failures-no_answer =
    {""}
    没有回答 { $name }。之前的回答保存在 .env。
commandLine-failures-bot_token_unknown = Telegram 不认识这个机器人的令牌。请检查 TELEGRAM_BOT_TOKEN。
commandLine-failures-fetched_elsewhere = 另一个程序正在接收这个机器人的消息。请先停掉它，或换一个机器人。
commandLine-failures-telegram_refused = Telegram 拒绝了：{ $says }
commandLine-failures-checks_failed = { $all } 项检查中有 { $failed } 项未通过；上面写明了每一项该怎么办。
commandLine-failures-not_a_repository = { $is } 不是 owner/name 的形式。
commandLine-failures-repository_unusable = { $repo } 在本机无法检查：有 { $n } 项缺失或失败。在那里的任务不会启动代理。

## The command line: what it prints

commandLine-apiListens = 在 { $address } 为其他程序服务：/mcp 是 MCP，/api 是 HTTP。按 Ctrl-C 结束。
commandLine-none-runs = 没有任务。
commandLine-none-campaigns = 没有批次。
commandLine-none-diff = 这台机器上还没有改动。
commandLine-answers-repeated = 这个幂等键已经用过；不会重复执行
commandLine-answers-stored = 已保存，之后会处理
commandLine-answers-key_used = 这个幂等键已用于另一条命令，或用于被拒绝的命令。请换一个。
commandLine-answers-set_aside_retried = 会再处理一次
commandLine-answers-set_aside_dropped = 已丢弃
commandLine-answers-set_aside_unknown = 没有这个编号的搁置项；见 `agentpr set-aside list`。
commandLine-answers-too_large = 一次最多 8 MB，这一次超过了。请把列表分成几个批次。
commandLine-answers-unreadable = 收到的应答无法理解
commandLine-run-duplicate = 重复的命令
commandLine-run-graded = 评为 { $level }（事件 { $seq }）：{ $why }
commandLine-run-attempt = 尝试 { $step } { $no }：{ $outcome }，{ $ms } 毫秒，{ GIVEN($containment) ->
    [yes] { $containment }
   *[no] 隔离方式未知
}
commandLine-theOrder = 任务
commandLine-close-first = 会先关闭批次：`agentpr campaign close`。
commandLine-close-confirm = 确认执行请加 --confirm。
commandLine-insights-apply = 由管理员在聊天里应用：
    { $lines }
commandLine-report-chart = 图表在 { $file }。
commandLine-backup-made = { $file } 包含账本（{ $ledger }）{ $keys ->
    [yes] 、它的密钥
   *[no] （不含密钥）
}，以及 { $runs } 个未结束任务的提交，共 { $size }。
commandLine-backup-plain = 它没有加密，并且含有密钥：拿到它的人可以用你的名义写账本。
commandLine-backup-restored = { $path } 已恢复到 { $at } 时的状态。它不知道此后的决定：在你运行 `agentpr audit accept` 之前，agentpr 每次启动都会提示这一点。
commandLine-audit-exported = { $file } 里有 { $rows } 条记录。
commandLine-audit-changed = 文件与写出时不同
commandLine-audit-unsigned = 文件不是由这个账本签名的
commandLine-audit-holds = { $rows } 条记录：{ $checked ->
    [everything] 用密钥核对，每条哈希链、每条记录的 MAC 和每个决定都成立
    [file] 文件与签名时相同；其中的记录经过隐去，因此无法逐条判断
   *[chains] 哈希链成立。没有密钥就无法判断是谁写的：用 --key <file> 可核对每条记录的 MAC
}。
commandLine-audit-accepted = { $rollback ->
    [yes] 已接受，并记入账本。
   *[no] 没有需要接受的内容。
}
commandLine-replay-replayed = 已重放 { $runs } 个任务的 { $events } 个事件。
commandLine-replay-trajectory = trajectory：{ $holds ->
    [yes] 由每个任务的日志都能得出账本里保存的状态
   *[no] 有的任务的日志得不出账本里保存的状态
}
commandLine-replay-decisions = decisions：{ $holds ->
    [yes] 没有缺少对应决定的外部动作
   *[no] 有的外部动作缺少对应的决定
}
commandLine-replay-signatures = signatures：{ $holds ->
    [yes] 每条哈希链和每个签名都完整
   *[no] 有的哈希链或签名已损坏
}
commandLine-replay-sameRules = 按今天的规则，每个事件的决定都与当时相同。
commandLine-replay-otherRules = 按今天的规则，有 { $events } 个事件会有不同的决定；账本本身仍然没有问题：
commandLine-replay-today = { $run }：事件 { $seq }（{ $type }）：{ $today ->
    [refused] 会被拒绝
    [ignored] 什么也不会做
    [unread] 已不再是有效的输入
   *[other] 不同
}{ $members ->
    [0] {""}
   *[other] ：{ $members }
}
commandLine-turns-run = 任务 { $run }：{ $turns } 轮，{ $proposals ->
    [0] {""}
   *[other] { $proposals } 个提议，
}{ $actions } 个动作{ $withoutTexts ->
    [0] {""}
   *[other] ；其中 { $withoutTexts } 轮的部分文本没有保留
}。
commandLine-turns-record = record：每一轮都与写入时相同
commandLine-turns-decisions = decisions：每个执行过的动作都有对应的决定和策略版本，被拒绝的都没有执行
commandLine-turns-unfollowed = edits：记录不完整，没有核对
commandLine-turns-edits = edits：{ $result ->
    [same] 从基准的文件树逐字节得到提交的文件树
    [other] 从基准的文件树得不到提交的文件树
    [gone] 已经无法核对
    [mixed] 仅凭这些编辑无法核对
   *[no_commit] 没有产生提交
}（{ $files } 个文件；重新应用 { $reapplied } 处，按摘要确认 { $byDigest } 处）
commandLine-turns-proposer = { $proposer }：{ $turns } 轮中被选中 { $chosen } 次，被拒绝 { $denied } 次，{ $failed } 次没有有效回答；读入 { $read } 个 token，写出 { $written } 个{ GIVEN($cost) ->
    [yes] ，${ $cost }
   *[no] {""}
}
commandLine-turns-action = 动作 { $action }：当时按 { $thenVersion } 为 { $then }（{ $thenPolicies }）；今天按 { $todayVersion } 为 { $today }（{ $todayPolicies }）
commandLine-turns-samePolicies = 今天的策略对 { $asked } 个动作的判断都相同。
commandLine-turns-otherPolicies = 今天的策略对 { $asked } 个动作中的 { $differences } 个判断不同：
commandLine-turns-gone = 有 { $commands } 条命令无法再判断：原文已不存在。
commandLine-turns-none = 没有任务有轮次记录：只有 builtin 引擎会记录。
commandLine-receipt-unsigned = 这张回执不是由这个账本签名的。
commandLine-receipt-unapproved = 这个账本里没有任务 { $run } 对 { $digest } 的批准。
commandLine-receipt-altered = 任务被批准过，但回执之前的文字不是批准时的内容。
commandLine-receipt-holds = 任务 { $run }：{ $approver } 按策略 { $policies } 批准的正是 { $digest }。
commandLine-receipt-byExport = 这是导出文件的说法。只有用数据目录（--data，回执由其中的密钥签名）才能知道是谁写的。
commandLine-migrate-tried = { $path } 里数据库的副本已应用 { $migrations }。数据库本身没有改动。
commandLine-migrate-absent = { $path } 里还没有数据库；首次启动时会创建。
commandLine-migrate-current = { $path } 里的数据库已是最新。
commandLine-copy-done = { GIVEN($path) ->
    [yes] { $path }
   *[no] Postgres
} 里有 { $rows } 条记录，与来源相同。
commandLine-copy-toPostgres = 请用 DATABASE_URL 和存有密钥的数据目录启动 agentpr。旧的 ledger.db 请另外保存：从此它是较早的副本。
commandLine-copy-toDirectory = 请用那个数据目录启动 agentpr，不要设置 DATABASE_URL。从此数据库是较早的副本。
commandLine-verify-holds = { $approver } 批准的正是这些：把提交 { $commit } 合入 { $repo } 的 { $base }，{ $titled ->
    [yes] 标题和描述也相同
   *[no] 描述也相同
}，批准于 { $at } UTC（密钥 { $key }）。
commandLine-verify-ownKey = { $named ->
        [yes] 由审批人自己的通行密钥 { $key }（{ $place }）签名，是你指定的密钥之一。
       *[no] 由审批人自己的通行密钥 { $key }（{ $place }）签名。它属于谁，要从别处得知。
    }
commandLine-verify-fails = 核对不成立：
commandLine-verify-doubts-own_key_wrong = 它带有审批人自己通行密钥的签名，但签的不是这些内容。
commandLine-verify-doubts-own_key_missing = 你指定的密钥都没有签过它。
commandLine-verify-doubts-no_receipt = 它的描述末尾没有 AgentPR 的回执。
commandLine-verify-doubts-no_envelope = 这个文件不是 AgentPR 所写的回执信封。
commandLine-verify-doubts-not_signed = 它的回执没有运维者以外的人可以核对的签名。
commandLine-verify-doubts-key_unknown = 它的回执所用的密钥不在这些公钥之中。
commandLine-verify-doubts-key_not_in_force = 批准时，它的回执所用的密钥并不有效。
commandLine-verify-doubts-key_revoked = 它的回执所用的密钥已被吊销。
commandLine-verify-doubts-signature_wrong = 它的回执被改动过，或不是用这个密钥签名的。
commandLine-verify-doubts-other_repository = 这张回执属于另一个仓库。
commandLine-verify-doubts-other_commit = 这张回执所写的提交不是拉取请求的最后一个提交。
commandLine-verify-doubts-other_base = 这张回执属于另一个基准分支。
commandLine-verify-doubts-other_title = 标题不是批准时的标题。
commandLine-verify-doubts-other_body = 描述不是批准时的描述。
commandLine-verify-doubts-other_tree = 回执所写的文件树，与该提交在这个仓库里的文件树不同。
commandLine-verify-doubts-commit_missing = 这个仓库里没有回执所写的提交。请先拉取它。
commandLine-verify-doubts-not_logged = 运维者的日志没有证明这个决定在其中。
commandLine-verify-logged = 它是运维者日志中 { $size } 个决定里的第 { $number } 个。
commandLine-log-consistent = 较早检查点的 { $before } 个决定，正是较新检查点 { $size } 个决定的开头部分：没有删除，也没有改动。
commandLine-log-notConsistent = 较新检查点的 { $size } 个决定不是以较早检查点的 { $before } 个开头，或者没有得到证明。
commandLine-log-shorter = 较新的检查点有 { $size } 个决定，较早的有 { $before } 个：有决定被删除，或者顺序颠倒了。
commandLine-log-notSigned = { $from } 不是由这些密钥签名的检查点。
commandLine-action-holds = { $approver } 批准的正是这些：提交 { $commit } 和这段描述{ FILLED($keys) ->
    [yes] ，由审批人自己的通行密钥 { $keys } 签名
   *[no] {""}
}。
commandLine-action-noPull = 这个事件没有拉取请求。请让工作流在 pull_request_target 上运行。
commandLine-action-notOurs = 这不是 AgentPR 的拉取请求：没有需要核对的内容。
commandLine-action-noKeys = 无法读取运维者的公钥。输入项“keys”是对方的 https 地址，或该地址上的文本。
commandLine-step-nobody = 这里没有人可以询问
commandLine-step-session = 会话 { $id }：读入 { $read } 个 token，写出 { $written } 个{ GIVEN($cost) ->
    [yes] ，${ $cost }
   *[no] {""}
}
commandLine-receive-received = { $status } { $duplicate ->
    [yes] 此前已收到
   *[no] 已收到
}，编号 { $id }：{ $fate }
commandLine-receive-unheard = { $status } 已计数，未存储：{ $note }
commandLine-hook-order = 仓库：{ $repository }
    目标：{ $goal }
    链接：{ $link }
    预览对应：{ $id }
    作为数据引用给代理：
    { $quoted }
commandLine-hook-comment = 点击之后，评论会发到 { $url }：{ $body }
commandLine-receive-noAnswer = 这不是 AgentPR 的应答。
commandLine-receive-elsewhere = 处理结果在那个 AgentPR 的账本里
commandLine-receive-waits = 正在等待处理
commandLine-receive-dead = 无法处理：{ GIVEN($note) ->
    [yes] { $note }
   *[no] 原因不明
}
commandLine-receive-done = { GIVEN($note) ->
    [yes] { $note }
   *[no] 已有任务接收
}
commandLine-app-title = 为 AgentPR 创建 GitHub App
commandLine-app-rights = GitHub 会让你取一个名称，然后把它的密钥发到这台机器。它可以：
commandLine-app-yours = 它只属于你，只在你安装的地方起作用。它不能合并，也不能管理任何东西。
commandLine-app-make = 在 GitHub 上创建
commandLine-app-notFound = 找不到
commandLine-app-otherAnswer = 这不是正在等待的应答。请重新开始：agentpr init --app
commandLine-app-made = { $name } 已创建。请回到终端继续；可以关闭本页。
commandLine-service-problems = systemd 对 { $file } 的意见：
    { $problems }
commandLine-service-installed = { $file } 已安装并启动。用 `agentpr service status` 查看状态。
commandLine-service-lingers = 你退出登录后它会停止，除非运行一次 `loginctl enable-linger`：之后它会随机器启动。
commandLine-service-removed = { $file } 已删除。设置和数据保持原样。
commandLine-demo-maintainer = 维护者
commandLine-demo-runs = 任务
commandLine-demo-merges = 批准并合并 { $repo }#{ $number }
commandLine-demo-mergesThere = 在代码托管平台上批准并合并 #{ $number }
commandLine-demo-requests = 对 #{ $number } 要求修改：{ $said }
commandLine-demo-reruns = 在代码托管平台上重新运行失败的检查
commandLine-demo-taps = 点击 [ { $text } ]
commandLine-demo-replies = 回复：{ $text }
commandLine-demo-checked = { $commit } 上的 { $check }：{ $conclusion }
commandLine-demo-tally = { $n } 个{ $mark ->
    [works] 进行中
    [waits] 等待决定
    [open] 评审中
    [merged] 已合并
    [done] 已完成
    [skipped] 已跳过
    [failed] 失败
    [denied] 被拒绝
    [cancelled] 已取消
   *[other] { $mark }
}
commandLine-demo-tallies = { $marks }
commandLine-demo-repositories = { $n } 个仓库：{ $tally }；点击 { $taps } 次，响铃 { $sounds } 次。
commandLine-demo-deliveries = { $n } 次送达：{ $late } 次迟到，{ $lost } 次丢失，{ $twice } 次重复；{ $asked } 个事实是主动查询得到的。
commandLine-demo-verify = 任何人只要有链接，就能核对批准了什么。请在另一个终端里试试：
commandLine-demo-states = 状态：{ $states }
commandLine-demo-staysUp = { $says }一切仍在运行，可以继续查看。
commandLine-demo-proof-one = { $repo }：一个拉取请求，与批准的内容完全相同（摘要 { $digest }…）
commandLine-demo-proof-seal = 封存 sha256:{ $digest }
commandLine-demo-proof-approved = 由 { $by } 批准（批准 { $id }）
commandLine-demo-proof-opened = 创建时的提交 { $commit }、文件树 { $tree }、改动 sha256:{ $diff }… 都是批准的
commandLine-demo-proof-text = 标题和描述是批准的
commandLine-demo-proof-edited = 它的文字被那里的人改过 { $n } 次
commandLine-demo-proof-candidates = 此前有 { $n } 个候选只推送过，没有用来创建拉取请求
commandLine-demo-proof-fix = 修复 { $commit }、文件树 { $tree }、改动 sha256:{ $diff }… 是批准的
commandLine-demo-proof-unpushed = 有 { $n } 个批准的修复从未推送
commandLine-demo-proof-theirs = 它的最新提交现在是 { $commit }，由别人提交
commandLine-demo-proof-nothingElse = { GIVEN($commit) ->
    [yes] 它的最新提交是 { $commit }，
   *[no] {""}
}创建之后没有推送过别的内容
commandLine-demo-proof-answers = 发布了 { $n } 条回复，每条一次，都在签过名的讨论串里
commandLine-demo-proof-unmerged = 没有人通过 API 要求合并
commandLine-demo-proof-unopened = 没有为它创建拉取请求
commandLine-demo-proof-nothing = 没有为它推送任何内容
commandLine-demo-proof-branchGone = 它的分支 { $branch } 已不存在
commandLine-demo-proof-run = 有一个任务
commandLine-demo-proof-approval = 有一个经过批准的拉取请求
commandLine-demo-proof-pull = 一个拉取请求：#{ $number }
commandLine-demo-proof-once = { $n ->
    [1] 唯一的批准恰好使用了一次
   *[other] { $n } 个批准各使用了恰好一次
}
commandLine-demo-hints-card = 请看手机：有一张卡片在等你。{ $opens ->
    [yes] 你点击之前不会创建拉取请求。
   *[no] 你点击之前不会推送或发布任何内容。
}
commandLine-demo-hints-tap = 在那里点它的按钮，或在此输入：tap <button>
commandLine-demo-hints-open = 拉取请求 { $pull } 已创建。它的检查在代码托管平台上。
commandLine-demo-hints-review = 现在你是 { $repo } 的维护者。请在代码托管平台上评审并合并 { $pull }。
commandLine-demo-hints-merge = 或在此输入：merge { $number }
commandLine-demo-hints-waits = 任务在等你：手机上写明了原因，以及你可以怎么办。
commandLine-demo-hints-over = 这个任务结束了。演示的代理是一段录制，只会三个改动。再来一个：/new acme/patient { $goal }
commandLine-demo-hints-another = 或输入另一个的编号；quit 结束演示。
commandLine-demo-hints-film = 这是一段影片：Ana 的点击会自动完成，维护者在代码托管平台上应答。
commandLine-demo-hints-campaign = 十个仓库做同一个改动：请在手机上看预览，然后开始。
commandLine-demo-intro = 以下都是真的：机器人、调度程序、HTTP 上的 git、{ $fork ->
    [yes] 轮询
   *[no] 带签名的 webhook
    }、代理的进程、检查。
    只有两个服务器在本机。可以在浏览器里观看和操作：
    {"  "}并排显示        { $both }
    {"  "}Ana 的手机      { $phone }
    {"  "}代码托管平台    { $forge }（仓库 { $repo }）
    {"  "}看板            { GIVEN($board) ->
    [yes] { $board }
   *[no] 未启用
    }（只能打开一次；/board 会给出新的链接）
    账本在 { $path }。
commandLine-demo-filmOver = 影片结束了，一切仍在运行：请自己继续。
commandLine-demo-youAreAna = 你是 Ana。她刚下达了一个改动；卡片会发到她的手机上，由你决定。不会替你点击（--play 会像影片一样放映）。
commandLine-demo-usePages = 可以使用这些页面，也可以在这里输入并按回车：
commandLine-demo-order = 下达：{ $goal }（{ $about }）
commandLine-demo-keys =
    {"  "}tap <button>           点击带有这段文字的最新按钮，例如：tap Open PR
    {"  "}/status、/help、文字   Ana 发给机器人的消息
    {"  "}merge <n>、close <n>   扮演拉取请求 <n> 的维护者
    {"  "}quit                   结束
    在代码托管平台上带 agentpr 标签的议题也会下达改动。

## 生效的规则

rules-openings = 拉取请求的创建时间：{ GIVEN($hours) ->
        [yes] { $hours }
       *[no] 任何时候
    }{ FILLED($except) ->
        [yes] ，{ $except }除外
       *[no] {""}
    }
rules-closedNow = 现在不创建，{ $at } 开始
rules-neverOpen = 现在不创建，也找不到可以创建的时间
rules-closesAt = 可以创建，到 { $at } 为止
rules-there = { $pattern }：{ $says }
rules-strangers = 在陌生人的仓库里：同一所有者最多打开 { $owner } 个，同一仓库 { $repository } 个，每小时创建 { $hour } 个，每天 { $day } 个
rules-budgetThere = { $pattern } 的预算（{ $period }）：{ LIST($amounts, by: " · ") }
policyWhen-paths = { $paths } 有改动
policyWhen-repos = 仓库是 { $repos }
policyWhen-actions = 要做的是{ $kinds }
policyWhen-kinds-push = 推送
policyWhen-kinds-open_pr = 拉取请求
policyWhen-kinds-comment = 评论
policyWhen-kinds-reply = 对评审的答复
policyWhen-kinds-command = 命令
policyWhen-minAdded = 新增不少于 { NUMBER($n) } 行
policyWhen-authors = 由 { $authors } 提出
policyWhen-minRisk = 风险为{ $level ->
        [medium] 中或高
       *[high] 高
    }
policyWhen-ownKey = 用通行密钥
policyWords-list-when = { LIST($conditions, by: "，并且") }{ FILLED($asks) ->
        [yes] （{ LIST($asks, by: " · ") }）
       *[no] {""}
    }
policyWords-list-inForce = 生效的规则
