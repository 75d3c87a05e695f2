/** 拉取请求的凭据所链接的页面：写给从未听说过 AgentPR 的维护者。 */
import type { enReceiptPage } from '../en/receipt-page.ts';

export const zhReceiptPage: typeof enReceiptPage = {
  receiptPage: {
    title: '如何阅读 AgentPR 凭据',
    lead: '如果一个拉取请求末尾有一行折叠的“AgentPR receipt”，它就是由编码智能体写的，而且在打开之前，有人批准了所发布的全部内容。',
    saysTitle: '它说明什么',
    says: {
      run: '打开它的那个安装里这项工作的名字；可以向其运营者询问',
      digest: '那个人所看到的全部内容的 SHA-256',
      policies: '在人之前评判这次改动的规则',
      'approved by': '那个人的公开名字，或只有运营者知道是谁的别名',
      'signed with key': '运营者的密钥，它签署了仓库、基础分支、提交、标题和描述',
    },
    notTitle: '它不说明什么',
    not: '它不说明改动是好的、测试通过，或那个人读完了全部内容。由您决定。您可以修改标题或描述，也可以推送到该分支；之后检查凭据时会说明这一点。',
    checkTitle: '如何检查',
    check: '需要拉取请求的地址、Node，以及运营者公布的密钥，此外不需要运营者的任何东西：',
    keys: '请从您知道属于谁的地方取得密钥。拉取请求里的链接可以指向任何地方：伪造者也会公布密钥。',
    theirs: '这个安装的密钥',
  },
};
