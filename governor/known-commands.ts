/** Readers that are fed, and variables, are harmless whatever program is run. */

/** Readers that are safe with any arguments, as from `xargs`. */
export const READS_WHAT_IT_IS_GIVEN =
  /^(?:ls|cat|head|tail|wc|grep|egrep|fgrep|echo|stat|basename|dirname|nl|cut|realpath)$/;

/** Environment variables that only affect output. */
export const HARMLESS_SETTING =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|CGO_ENABLED|GOOS|GOARCH)=[\w.,@+-]*$/;
