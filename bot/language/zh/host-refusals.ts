import {
  certificateHelps,
  type HostRefusal,
  type HostRefusalKind,
} from '../../../orchestrator/model/host-refusal.ts';

const owner = ({ organisation }: HostRefusal): string =>
  organisation === undefined ? '该组织' : `组织 ${organisation} `;

const proxy = (r: HostRefusal): string => `代理${r.proxy === undefined ? '' : ` ${r.proxy} `}(HTTPS_PROXY)`;
const answered = ({ status }: HostRefusal): string => (status === undefined ? '' : ` (${status})`);

const certificateProblem = (code: string): string => {
  if (code === 'CERT_HAS_EXPIRED') return '它已过期';
  if (code === 'CERT_NOT_YET_VALID') return '它尚未生效，请检查这台机器的时钟';
  if (code === 'CERT_REVOKED') return '它已被吊销';
  if (/ALTNAME|HOSTNAME/.test(code)) return '它是给另一个名称的';
  return '这台机器不认识签发它的机构';
};
const certificateStep = (code: string): string =>
  certificateHelps(code)
    ? '如果贵公司有自己的证书机构，或代理会解开 TLS，请让 NODE_EXTRA_CA_CERTS 指向含有其证书的文件 (PEM)，然后重新启动 AgentPR。'
    : '需要由管理该主机或其前面代理的人修复。';

const sentences: Record<HostRefusalKind, (refusal: HostRefusal, party: string) => string> = {
  sign_on_required: (r) =>
    `${owner(r)}要求我们的令牌通过单点登录 (SSO) 授权。${r.url === undefined ? '请在令牌所属账户的设置中，点击令牌旁的 “Configure SSO” 为它授权。' : `请打开 ${r.url} 为它授权。`}`,
  address_not_allowed: (r) =>
    `${owner(r)}只允许其 IP 允许列表中的地址访问，而这台机器的地址不在其中。请让其所有者添加，或换一个在列表中的地址运行 AgentPR。`,
  app_not_approved: (r) =>
    `${owner(r)}没有批准我们的令牌所属的 OAuth 应用。请让其所有者批准，或改用个人访问令牌或 GitHub 应用。`,
  classic_token_forbidden: (r) =>
    `${owner(r)}禁止使用经典 (classic) 个人访问令牌。请把 GITHUB_TOKEN 设为细粒度令牌，或请对方安装 GitHub 应用。`,
  fine_grained_token_forbidden: (r) =>
    `${owner(r)}禁止使用细粒度 (fine-grained) 个人访问令牌。请把 GITHUB_TOKEN 设为经典令牌，或请对方安装 GitHub 应用。`,
  token_lives_too_long: (r) =>
    `${owner(r)}不接受有效期超过${r.days === undefined ? '规定天数' : ` ${r.days} 天`}的令牌。请新建一个更早到期的令牌，并设为 GITHUB_TOKEN。`,
  right_missing: () =>
    '我们的凭据缺少这项权限。`agentpr doctor` 会列出已有的权限；需要哪些见 docs/github.md。',
  workflow_right_missing: () =>
    '我们的凭据不能修改工作流文件。请给经典令牌加上 `workflow` 范围；细粒度令牌或 GitHub 应用则需要 Workflows 的写权限。',
  account_suspended: () => '代码托管平台暂停了我们的账户。它的支持人员可以解除。',
  app_suspended: () => '我们的 GitHub 应用在那里被暂停了。安装它的人可以在 Settings → Applications 中解除。',
  access_blocked: () => '代码托管平台对所有人封锁了这个仓库。其所有者可以联系平台的支持人员。',
  archived: () => '仓库已归档，只能读取。其所有者可以在 Settings → General 中取消归档。',
  user_blocked: () => '仓库的所有者屏蔽了我们的账户。只有他们可以解除。',
  newcomers_limited: () => '仓库暂时限制了谁可以参与，我们的账户不在其中。请联系其所有者，或等到限制结束。',
  collaborators_only: () => '仓库只接受协作者的拉取请求。请让其所有者添加我们的账户。',
  pulls_off: () => '仓库关闭了拉取请求。只有其所有者可以打开。',
  nothing_to_merge: () =>
    '目标分支已包含这次改动的全部内容，没有可开的拉取请求。请取消任务，或说明还缺什么。',
  is_mirror: () => '这个仓库是镜像：改动在别处提交，这里的拉取请求没有人看。',
  hourly_limit: () => '代码托管平台每小时允许的请求已用完。不用做什么：它会说什么时候再来。',
  secondary_limit: () => '代码托管平台要我们放慢：一次的请求太多了。不用做什么，等待即可。',
  plan_lacks_it: () => '仓库所有者的套餐不为私有仓库提供这项功能。对方可以更换套餐，或公开仓库。',
  server_lacks_it: () => '这个版本的代码托管平台没有这项功能。管理它的人可以安装更新的版本。',
  name_not_found: (_, party) => `查不到${party}的域名。请检查运行 AgentPR 的机器的 DNS 和网络。`,
  connection_refused: (_, party) =>
    `${party}没有接受连接：它的地址上没有服务在监听，或被防火墙拒绝。请检查该地址和运行 AgentPR 的机器的网络。`,
  connection_lost: (_, party) =>
    `与${party}的连接在它回答之前中断了。如果一直这样，请检查运行 AgentPR 的机器的网络。`,
  no_answer: (_, party) =>
    `${party}没有及时回答。如果一直这样，请查看它的状态页面和运行 AgentPR 的机器的网络。`,
  certificate_untrusted: ({ code = '', host }, party) =>
    `${host === undefined ? party : ` ${host} `}的证书不被接受：${certificateProblem(code)}${code && ` (${code})`}。${certificateStep(code)}`.trim(),
  proxy_unreached: (r, party) =>
    `连不上${proxy(r)}，因此也连不上${party}。请检查它的地址和端口；不需要代理的主机请写入 NO_PROXY。`,
  proxy_wants_sign_in: (r) =>
    `${proxy(r)}要求它认可的用户名和密码 (407)。请把它们写进代理地址：http://user:password@host:port，其中 @ 写作 %40。`,
  proxy_gets_no_answer: (r, party) =>
    `${proxy(r)}连不上${party}${answered(r)}。如果不需要代理，请把它加入 NO_PROXY。`,
  proxy_forbids: (r, party) =>
    `${proxy(r)}不让我们访问${party}${answered(r)}。请申请放行，或把它加入 NO_PROXY。`,
};

export const zhWayRefusal = (refusal: HostRefusal, party: string): string =>
  sentences[refusal.kind](refusal, party).trim();
export const zhHostRefusal = (refusal: HostRefusal): string => zhWayRefusal(refusal, '代码托管平台');
