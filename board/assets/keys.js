// Asks the person's own key for a decision, or for a new key. Without it these pages only show.
const { startAuthentication, startRegistration, browserSupportsWebAuthn } = globalThis.SimpleWebAuthnBrowser;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const digestText = (text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const readAsked = (id) => JSON.parse(document.getElementById(id).dataset.asked);

const postJson = async (path, body) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status === 401 ? { ok: false, says: document.body.dataset.out } : response.json();
};

const performAct = async (section, sayId, act) => {
  const say = document.getElementById(sayId);
  const buttons = [...section.querySelectorAll('button')];
  if (!browserSupportsWebAuthn()) {
    say.textContent = section.dataset.unsupported;
    return;
  }
  for (const button of buttons) button.disabled = true;
  say.textContent = '…';
  try {
    const { ok, says, goesOn } = await act();
    say.textContent = says;
    say.className = ok ? 'says good' : 'says bad';
    if (!ok) return;
    // The page is redrawn when the run has moved on, or has a question.
    if (section.id === 'decide') document.getElementById('live').textContent = says;
    if (goesOn) return;
    for (const button of buttons) button.hidden = true;
    document.getElementById('no-key')?.remove();
  } catch {
    say.textContent = section.dataset.failed;
    say.className = 'says bad';
  } finally {
    for (const button of buttons) button.disabled = false;
  }
};

/** The digest of the words is the last part of the text that a refusal signs. */
const challengeFor = async ({ challenge, texts }, decision, words) => {
  if (decision === 'approve') return challenge;
  return base64url(await digestText(`${texts[decision]}${JSON.stringify(toHex(await digestText(words)))}]`));
};

const currentRequest = () => document.getElementById('decide-asked')?.dataset.asked;
/** The page is redrawn while somebody reads: what they have not seen is not signed by the press that they were about to make. */
let seen = currentRequest();

/** What stood on the page, and stands there no more. */
const describeChange = (before = [], now = []) =>
  now
    .filter(([, value], at) => before[at]?.[1] !== value)
    .map(([name, value]) => `${name}: ${before.find(([known]) => known === name)?.[1] ?? '–'} → ${value}.`)
    .join(' ');

const signDecision = async (section, decision, words) => {
  if (currentRequest() !== seen) {
    const change = describeChange(JSON.parse(seen ?? '{}').shown, JSON.parse(currentRequest() ?? '{}').shown);
    seen = currentRequest();
    return { ok: false, says: `${section.dataset.moved} ${change}` };
  }
  const asked = readAsked('decide-asked');
  const { response, id } = await startAuthentication({
    optionsJSON: {
      challenge: await challengeFor(asked, decision, words),
      rpId: asked.rpId,
      allowCredentials: asked.keys.map((key) => ({ id: key, type: 'public-key' })),
      userVerification: 'required',
    },
  });
  const answer = await postJson(`/board/run/${encodeURIComponent(section.dataset.run)}/decide`, {
    decision,
    approval: asked.approval,
    words,
    credential: id,
    authenticatorData: response.authenticatorData,
    clientData: response.clientDataJSON,
    signature: response.signature,
  });
  const says = answer.now ? `${answer.says} ${describeChange(asked.shown, answer.now)}` : answer.says;
  return { ok: answer.ok, says, goesOn: decision === 'ask' };
};

const registerKey = async () => {
  const { response, id } = await startRegistration({ optionsJSON: readAsked('register-asked') });
  return postJson('/board/passkeys', {
    id,
    clientData: response.clientDataJSON,
    attestation: response.attestationObject,
  });
};

let asking = '';
// The page is redrawn while it is open, so the document listens.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  const section = target.closest('section');
  if (!button || !section) return;
  if (button.dataset.decide)
    performAct(section, 'decide-says', () => signDecision(section, button.dataset.decide, ''));
  if (button.dataset.asks) {
    asking = button.dataset.asks;
    document.getElementById('decide-asks').hidden = false;
    document.getElementById('decide-why').focus();
  }
  if (button.id === 'decide-send') {
    const words = document.getElementById('decide-why').value;
    if (asking !== 'deny' && words.trim() === '') return;
    performAct(section, 'decide-says', () => signDecision(section, asking, words));
  }
  if (button.id === 'register-key') performAct(section, 'register-says', registerKey);
});
