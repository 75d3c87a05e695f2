import type { Finding, FindingNote, FindingNoteOf } from '../../../orchestrator/model/finding-records.ts';
import type { SecretName } from '../../../orchestrator/model/secret-names.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

const nouns: Record<SecretName['noun'], string> = {
  access_key: '访问密钥',
  access_token: '访问令牌',
  address_password: '网址里的密码',
  api_key: 'API 密钥',
  bot_token: '机器人令牌',
  client_secret: '客户端密钥',
  header_credential: '请求头里的凭据',
  key: '密钥',
  named_secret: '带名称的密钥',
  password: '密码',
  private_key: '私钥',
  refresh_token: '刷新令牌',
  registry_credential: '软件源的凭据',
  registry_token: '软件源的令牌',
  secret_key: '密钥',
  signed_address: '带签名的网址',
  signed_token: '带签名的令牌',
  storage_key: '存储密钥',
  token: '令牌',
  webhook: 'webhook 地址',
  webhook_secret: 'webhook 密钥',
};
export const zhSecretName = ({ noun, of }: SecretName): string =>
  of === '' ? nouns[noun] : `${of} ${nouns[noun]}`;

export const zhFindings: Record<Finding['kind'], string> = {
  secret: '疑似密钥',
  lent_key: '借给代理的密钥',
  likely_secret: '可能是密钥',
  hidden_line: '因隐藏密钥而没有原样显示的行',
  bidi_text: '在屏幕上顺序被篡改的文字',
  hidden_text: '看不见的字符',
  mixed_script: '一个词里混有多种文字',
  look_alike: '以假乱真的字符',
  long_line: '过长而无法阅读的行',
  line_endings_only: '只改了行尾',
  blanks_only: '只改了空白',
  unseen_change: '前后看起来一样的行',
  test_removed: '测试被删除',
  test_skipped: '测试被跳过',
  test_weakened: '测试被削弱',
  nested_repository: '仓库里嵌套着仓库',
  special_file: '特殊文件',
  hard_link: '硬链接',
  bad_name: '不可用的文件名',
  too_large: '过大而略去',
  not_read: '没有读过',
  symlink_escape: '指向仓库之外的链接',
  lfs_pointer: '大文件指针',
  lfs_raw: '本应存入 LFS 的内容',
  filter_raw: '未经过滤器处理的内容',
  skipped_ignored: '因忽略规则而略过',
};

const special: Record<FindingNoteOf<'special'>['is'], string> = {
  pipe: '命名管道',
  socket: '套接字',
  device: '设备或其他特殊文件',
};

export const zhFindingNotes: SentenceCatalogue<FindingNote> = {
  not_text: () => '不是 UTF-8 文本的字节',
  scripts_mixed: () => '一个词里混有形似的字母',
  scripts_mixed_in_name: () => '名字的一个词里混有形似的字母',
  stored_elsewhere: () => '内容本身存放在别处',
  own_bytes: () => '是内容本身，不是指针',
  test_file_deleted: () => '一个测试文件被删除',
  only_line_ends: () => '只有行尾不同',
  only_blanks: () => '只有空白不同',
  looks_same: () => '有些行前后看起来一样',
  as_plain_files: () => '其中的文件按普通文件提交',
  worktree_left_out: () => '仓库的第二个工作副本被略去',
  submodule_left_out: () => '放进子模块的内容被略去',
  linked_from_outside: () => '它和改动之外的某个文件是同一个文件，因此略去',
  name_not_text: () => '名字不是有效的 UTF-8',
  name_like_git: () => '这个名字在某些系统上等同于 .git',
  name_modules_link: () => '.gitmodules 不可以是符号链接',
  name_unseen: () => '名字里有控制字符或看不见的字符',
  name_backslash: () => '名字里有反斜杠，在某些系统上表示目录',
  looks_like: ({ secret }) => `看起来像 ${zhSecretName(secret)}`,
  lent: ({ names }) => names.join(', '),
  character: ({ code }) => `看不见的字符或控制字符 ${code}`,
  reads_as: ({ as, characters }) => `看起来是“${as}”，实际写的是 ${characters.join(', ')}`,
  characters: ({ count }) => `这一行有 ${count} 个字符`,
  bytes: ({ bytes, leftOut }) => `它有 ${bytes} 字节${leftOut ? '，因此略去' : ''}`,
  test_cases: ({ was, is }) => `测试用例从 ${was} 个变为 ${is} 个`,
  skipped_tests: ({ was, is }) => `跳过的测试从 ${was} 个变为 ${is} 个`,
  assertions: ({ was, is }) => `断言从 ${was} 个变为 ${is} 个`,
  hidden_in: ({ added, removed, other }) =>
    `隐藏于 ${added} 个新增行、${removed} 个删除行和 ${other} 个其他行`,
  leads_to: ({ target }) => `它指向 ${target}`,
  same_name: (n) => `在某些系统上它和 ${n.as} 同名；请给其中一个改名`,
  special: ({ is }) => `它是${special[is]}；请删除`,
  too_deep: ({ limit }) => `目录嵌套超过 ${limit} 层；请删除`,
  too_many: ({ limit }) => `新文件超过 ${limit} 个；请删除不属于改动的文件`,
  unreadable: ({ code }) => `有文件或目录无法读取（${code}）；请删除`,
  ignored: ({ count }) => `略去了仓库忽略的 ${count} 个文件或目录`,
};

export const zhFindingNote = ({ note, more = 0 }: Pick<Finding, 'note' | 'more'>): string =>
  `${sayRecord(zhFindingNotes, note)}${more > 0 ? `（另有 ${more} 个类似）` : ''}`;
