/** Names of repositories on GitHub. */

/** Managed users: `name_code` (GitHub, "Username considerations for external authentication"). */
export const isRepositoryName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]{1,16})?\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name) &&
  !name.endsWith('.git');
