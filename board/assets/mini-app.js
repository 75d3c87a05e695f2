// The Mini App inside Telegram: its session, colours, safe areas and back button. Telegram's own script is not loaded: a stranger's script would see every page.
{
  const APP = '/board/app';
  const TELEGRAM_WEB = 'https://web.telegram.org';
  const opening = document.currentScript.dataset.opening !== undefined;
  const launched = new URLSearchParams(location.hash.slice(1));
  const initData = launched.get('tgWebAppData');
  if (initData !== null) history.replaceState(null, '', location.pathname + location.search);

  const postEvent = (eventType, eventData = {}) => {
    const data = JSON.stringify(eventData);
    if (window.TelegramWebviewProxy) window.TelegramWebviewProxy.postEvent(eventType, data);
    else if (window.external && 'notify' in window.external)
      window.external.notify(JSON.stringify({ eventType, eventData }));
    else if (window.parent !== window)
      window.parent.postMessage(JSON.stringify({ eventType, eventData }), TELEGRAM_WEB);
  };

  const root = document.documentElement;
  const isColour = (text) => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);
  const isDark = (colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
  };
  const COLOURS = {
    bg_color: '--card',
    secondary_bg_color: '--page',
    text_color: '--ink',
    link_color: '--link',
    button_color: '--accent',
    button_text_color: '--accent-ink',
  };
  const applyTheme = (theme) => {
    if (isColour(theme?.bg_color)) root.style.colorScheme = isDark(theme.bg_color) ? 'dark' : 'light';
    for (const [name, token] of Object.entries(COLOURS))
      if (isColour(theme?.[name])) root.style.setProperty(token, theme[name]);
  };
  const parseOrNull = (text) => {
    try {
      return JSON.parse(text ?? 'null');
    } catch {
      return null;
    }
  };
  // Each page starts anew, and Telegram tells its colours with the first one alone. Storage is refused in frames of other sites.
  const kept = parseOrNull(window.name) ?? {};
  const keepValue = (name, value) => {
    if (value !== undefined) kept[name] = value;
    window.name = JSON.stringify(kept);
    return kept[name] ?? null;
  };
  const applyInsets = (name, sides) => {
    const given = { safe: keepValue('safe'), content: keepValue('content') };
    if (sides) given[name] = keepValue(name, sides);
    for (const side of ['top', 'bottom']) {
      const covered = [given.safe, given.content].map((one) => Number(one?.[side]) || 0);
      root.style.setProperty(`--safe-${side}`, `${Math.max(0, covered[0] + covered[1])}px`);
    }
  };
  const theme = parseOrNull(launched.get('tgWebAppThemeParams'));
  applyTheme(keepValue('theme', theme ?? undefined));
  applyInsets();

  const parentPage = () => {
    const [, kind, id, below] = location.pathname.slice(APP.length).split('/');
    if (kind === 'run' && below) return `${APP}/run/${id}`;
    if (kind === 'campaign') return `${APP}/campaigns`;
    return `${APP}/`;
  };
  const isHome = opening || location.pathname.replace(/\/$/, '') === APP;
  const heard = {
    theme_changed: ({ theme_params }) => applyTheme(keepValue('theme', theme_params)),
    safe_area_changed: (sides) => applyInsets('safe', sides),
    content_safe_area_changed: (sides) => applyInsets('content', sides),
    back_button_pressed: () => location.assign(parentPage()),
  };
  const receiveEvent = (type, data) => heard[type]?.(data ?? {});
  window.Telegram = { WebView: { receiveEvent } };
  window.TelegramGameProxy = { receiveEvent };
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || origin !== TELEGRAM_WEB) return;
    const said = parseOrNull(data);
    if (said) receiveEvent(said.eventType, said.eventData);
  });

  postEvent('iframe_ready');
  postEvent('web_app_ready');
  postEvent('web_app_expand');
  for (const what of ['theme', 'safe_area', 'content_safe_area']) postEvent(`web_app_request_${what}`);
  postEvent('web_app_setup_back_button', { is_visible: !isHome });

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[target="_blank"]');
    if (!link) return;
    event.preventDefault();
    const { hostname, pathname, search, href } = link;
    if (hostname === 't.me') postEvent('web_app_open_tg_link', { path_full: pathname + search });
    else postEvent('web_app_open_link', { url: href });
  });

  const asked = new URLSearchParams(location.search);
  const [, fromLink, toDiff] =
    /^run-([A-Za-z0-9_]{1,64})(-diff)?$/.exec(new URLSearchParams(initData ?? '').get('start_param') ?? '') ??
    [];
  const run = fromLink ?? /^[A-Za-z0-9_-]{1,64}$/.exec(asked.get('run') ?? '')?.[0];
  const diff = toDiff !== undefined || asked.get('to') === 'diff';
  const openSession = async () => {
    const response =
      initData === null
        ? null
        : await fetch(`${APP}/session`, { headers: { authorization: `tma ${initData}` } });
    if (response?.ok) location.replace(run ? `${APP}/run/${run}${diff ? '/diff' : ''}` : `${APP}/`);
    else {
      const { why } = response === null ? {} : await response.json();
      document.getElementById(why === 'expired' ? 'expired' : 'reopen').hidden = false;
    }
  };
  if (opening)
    document.addEventListener('DOMContentLoaded', () => {
      openSession().catch(() => (document.getElementById('reopen').hidden = false));
    });
}
