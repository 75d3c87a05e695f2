// Exchanges what Telegram signed for a session, once. Telegram's own script is not loaded: a stranger's script would see every page.
const launched = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);

const tell = (eventType, eventData = {}) => {
  const message = JSON.stringify({ eventType, eventData });
  if (window.TelegramWebviewProxy)
    window.TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
  else if (window.external && 'notify' in window.external) window.external.notify(message);
  else if (window.parent !== window) window.parent.postMessage(message, 'https://web.telegram.org');
};
tell('web_app_ready');
tell('web_app_expand');

const initData = launched.get('tgWebAppData');
const wanted = new URLSearchParams(initData ?? '').get('start_param') ?? '';
const [, run, diff] = /^run-([A-Za-z0-9_]{1,64})(-diff)?$/.exec(wanted) ?? [];
const target = run ? `/board/app/run/${run}${diff ? '/diff' : ''}` : '/board/app/';

const isSignedIn = async () => (await fetch('/board/app/', { method: 'HEAD' })).ok;
const exchange = async () => {
  if (!initData) return false;
  const response = await fetch('/board/app/session', { headers: { authorization: `tma ${initData}` } });
  return response.ok;
};
// A reload brings the same data again; then the session of the first exchange serves.
if ((await exchange()) || (await isSignedIn())) location.replace(target);
else document.getElementById('reopen').hidden = false;
