/** Guards of the gateway: tokens, keys, budgets and hosts. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const GATEWAY: readonly Guard[] = [
  ...noticedBy(test('adapters/taken-sign-in'), [
    ['G5-placed-file-here', 'a sign-in is taken back from our own folder only', never],
    ['G5-placed-file-bounded', 'nothing large is read as a sign-in', without('there.size')],
  ]),
  ...noticedBy(test('slow/processes/installs', 'without end'), [
    ['O10-install-record-bounded', 'a record of an installation is read up to a limit', never],
  ]),
  ...noticedBy(test('contracts/agent-hosts'), [
    ['E16-own-hosts-not-advertised', 'nobody is told to allow what an agent calls by itself', never],
  ]),
  ...noticedBy(test('adapters/gateway'), [
    ['E16-own-token', 'only the token of the attempt is taken', never],
    ['E16-no-redirect', 'the key follows no provider elsewhere', never],
    ['E16-budget-before', 'a budget is looked at before each request', gone],
  ]),
  ...noticedBy(test('adapters/gateway-google'), [
    [
      'E16-google-query',
      'no key of somebody else stands in the query',
      swap('(?:\\?alt=sse)?', '(?:\\?.*)?'),
    ],
    ['E18-one-model', 'the model that is priced is the only one that is named', never],
    ['E18-last-chunk', 'a stream that was cut is not billed by what it told on its way', never],
  ]),
  ...noticedBy(test('slow/adapters/held-up', 'more values than anybody reads'), [
    ['O10-request-values', 'a request of brackets alone is refused', never],
  ]),
  ...noticedBy(test('slow/adapters/held-up', 'past the limits of its reader'), [
    ['O10-request-unread', 'a request that nobody could read goes nowhere', never],
  ]),
  ...noticedBy(test('slow/adapters/held-up', 'prints one line of nearly 16 MB'), [
    ['O10-event-values', 'a line of brackets alone is no event', never],
  ]),
  ...noticedBy(test('adapters/billing'), [
    [
      'E18-price-written-down',
      'a name that no price was written for has none',
      swap('Object.hasOwn(own, key)', 'own[key] !== undefined'),
    ],
    ['E18-no-background', 'no request is left to work on by itself', never],
    ['E18-hosted-refused', 'what a provider does by itself needs a price', never],
    ['E18-answer-tier', 'a dearer tier than asked for is counted', swap('told?.tier ?? null', 'null')],
    [
      'E18-reservation-stands',
      'what may be billed counts until the provider says what it took',
      swap('maxTokensOf(asked)', 'guess'),
    ],
    [
      'E18-reasoning-beside',
      'reasoning that is in the total alone is billed',
      swap('(read.total_tokens ?? 0) - input', '0'),
    ],
    ['E18-reserved-first', 'what may be billed is written down before it is asked for', never],
  ]),
  ...noticedBy(test('adapters/key-echo'), [
    [
      'E16-echo-held',
      'the key is found although it comes in pieces',
      swap('lent.begins(history + line, MIN_BEGINNING)', 'false'),
    ],
    ['E16-echo-headers', 'no header carries the key into a box', swap('filter.header(value)', 'value')],
  ]),
  ...noticedBy(test('slow/processes/audit-secrets'), [
    [
      'C5-export-encoded',
      'a redacted export carries no secret of its host in another encoding',
      swap('withoutKnown(value, secrets)', 'value'),
    ],
  ]),
  ...noticedBy(test('slow/processes/listed'), [
    ['E16-registry-path', 'a path that leads elsewhere reaches no registry', never],
  ]),
  ...noticedBy(test('contracts/provider-pause'), [
    ['E18-closed-not-begun', 'no agent is started while its provider takes nothing', always],
  ]),
  ...noticedBy(test('slow/processes/closed-provider'), [
    ['E18-closed-ends-turn', 'no process waits for a provider that is closed for long', always],
  ]),
  ...noticedBy(test('adapters/listed-prices'), [
    ['E18-listed-prices-here', 'no price is taken from where a provider sends us', never],
  ]),
  ...noticedBy(test('contracts/price-unknown'), [
    ['E18-no-vain-retry', 'no Retry is offered while it can only fail for want of a price', never],
    ['E18-priced-goes-on', 'a run goes on by itself only with a price for its model', never],
    ['E18-cost-told-first', 'an order is told what a limit of cost comes to', always],
  ]),
  ...noticedBy(test('contracts/billed'), [
    ['E18-unheard-counted', 'what a killed process asked for is counted', always],
    ['E18-bound-told', 'what nobody told is called an upper bound', never],
  ]),
  ...noticedBy(test('slow/processes/one-budget', 'E16'), [
    ['E16-provider-left-alone', 'what a provider asks of one process holds for all', never],
  ]),
  ...noticedBy(test('slow/processes/listed'), [
    ['E16-listed-first', 'a host is matched before it is resolved', never],
    ['E16-no-inward', 'a listed name leads into no private network', never],
    ['E16-same-name', 'TLS asks for the name that CONNECT did', never],
    ['E16-registries-read', 'registries are only read', never],
    ['E16-listed-box', 'a box with a listed network has no other', always],
  ]),
  ...noticedBy(test('slow/processes/company-network'), [
    ['E16-no-inward-address', 'an address leads into no private network through a proxy either', never],
    ['O9-proxy-or-nothing', 'nothing goes past a proxy that cannot be used', never],
  ]),
  ...noticedBy(test('adapters/sent-file'), [
    ['O9-own-files-only', 'of a Bot API server here, only files of this bot are read', never],
    ['O9-token-not-plain', 'the token of the bot goes over no plain http that nobody asked for', never],
  ]),
];
