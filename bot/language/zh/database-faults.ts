/** Chinese: what is wrong with the ledger's database, and what to do. Plain text, not escaped. */
import type { DatabaseFault } from '../../../orchestrator/model/database-fault.ts';

const sentences: Readonly<Record<DatabaseFault, string>> = {
  damaged: '账本文件已损坏。请停止 agentpr，保留数据目录的一份副本，并从备份恢复 ledger.db。',
  not_writable: '无法写入账本：它的目录或文件是只读的。请给当前用户写数据目录的权限。',
  not_openable: '无法打开账本。请检查数据目录是否存在，以及当前用户能否读写它。',
  folder_for_file:
    '数据目录中，应是文件的地方是文件夹，或应是文件夹的地方是文件。请把它移开，或从备份恢复目录。',
  in_use: '账本被另一个程序占用太久。请关闭正在打开 ledger.db 的程序，然后重试。',
  disk_error: '读写账本时磁盘出错。请检查磁盘及其剩余空间，然后重新启动。',
  unreached: '无法连接账本的 Postgres。请启动它，或检查 DATABASE_URL 和网络；它恢复后 agentpr 会自动继续。',
  no_connection_left:
    '账本的 Postgres 没有剩余连接。请提高它的 max_connections，或关闭占用连接的程序；每个 agentpr 进程最多需要 15 个。',
  password_refused: '账本的 Postgres 拒绝了 DATABASE_URL 中的用户或密码。',
  user_refused:
    '账本的 Postgres 不允许这个用户从这台机器登录。请检查 DATABASE_URL 中的用户和它的 pg_hba.conf。',
  database_missing: 'DATABASE_URL 指定的数据库不存在。请创建：createdb <name>。',
  read_only: '账本的 Postgres 不接受写入：它是备用服务器，或被设为只读。请让 DATABASE_URL 指向主服务器。',
  right_missing:
    'DATABASE_URL 中的用户在其数据库中没有这项权限：启动时要在那里创建表、函数和触发器。请让它成为所有者：alter database <name> owner to <user>。',
  no_schema:
    'DATABASE_URL 中用户的 search_path 没有指向已存在的模式。请创建（create schema <name> authorization <user>），或改用另一个（alter role <user> set search_path = <name>）。',
  no_ledger: 'DATABASE_URL 指定的数据库中没有账本。请先用它启动一次 agentpr。',
  postgres_damaged:
    '账本的 Postgres 发现自己的文件已损坏。请停止 agentpr，保留一份副本，并从备份恢复数据库。',
  wants_encryption:
    '账本的 Postgres 不允许这个用户从这台机器建立未加密的连接。多半是它只接受加密连接：请在 DATABASE_URL 后加上 ?sslmode=verify-full。否则就是它的 pg_hba.conf 缺少一行。',
  no_encryption:
    '账本的 Postgres 不支持加密连接，而 DATABASE_URL 要求加密 (sslmode)。请在那里启用 TLS，或在没有人能窃听的地方去掉 sslmode。',
  password_missing:
    '账本的 Postgres 需要密码，而 DATABASE_URL 中没有：postgres://user:password@host:5432/name。',
  not_utf8:
    'DATABASE_URL 指定的数据库不能保存所有文字。请用 UTF8 创建：createdb -E UTF8 -T template0 <name>。',
  pooled:
    'DATABASE_URL 指向事务模式的连接池（PgBouncer、Supavisor 等），它把一个会话分给多个程序：阻止第二个 AgentPR 的锁会失效。请填写 Postgres 本身的地址，或会话模式连接池的地址。',
};

export const zhDatabaseFault = (fault: DatabaseFault): string => sentences[fault];
