/** The supported database engines. */
export type DatabaseEngine = 'sqlite' | 'postgres';
