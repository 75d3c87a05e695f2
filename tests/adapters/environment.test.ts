/** E3: what of the operator's environment a run gets to see. */
import { describe, expect, it } from 'vitest';
import { childEnvironment, passableEnvironment } from '#process';

const CARRIES: readonly (readonly [string, string])[] = [
  ['PIP_EXTRA_INDEX_URL', 'https://a.example https://u:p@b.example/simple'],
  ['PIP_INDEX_URL', 'https://token@pypi.example/simple'],
  ['PIP_EXTRA_INDEX_URL', 'https://a.example https://token@b.example/simple'],
  ['GOPROXY', 'https://a.example,https://token@b.example|direct'],
  ['HTTPS_PROXY', 'proxy:1;user@proxy:3128'],
  ['PIP_INDEX_URL', 'https://u%3Ap%40pypi.example/simple'],
  ['PIP_INDEX_URL', 'https://u%253Ap%2540pypi.example/simple'],
  ['PIP_INDEX_URL', 'https://u:p/w@pypi.example/simple'],
  ['PIP_INDEX_URL', 'https://dl.example/a8Xk2mQ9vB3nR7tY/org/python/simple/'],
  ['PIP_INDEX_URL', 'https://npm.example/auth/dXNlcjpwYXNzd29yZA==/simple'],
  ['PIP_INDEX_URL', 'https://npm.example/dTpwdw==/simple'],
  ['GOPROXY', 'https://npm.example/go?t=YW5hOmh1bnRlcg'],
  ['PIP_FIND_LINKS', '/srv/wheels\nhttps://u:p@b.example/w'],
  ['HTTPS_PROXY', 'u:p@proxy:3128'],
  ['http_proxy', 'user@proxy:3128'],
  ['ALL_PROXY', 'socks5h://u:p@proxy:1080'],
  ['HTTPS_PROXY', 'http://proxy:1/?next=http://u:p@other:1'],
  ['NPM_CONFIG_REGISTRY', 'https://r.example/?token=abc'],
  ['NPM_CONFIG_REGISTRY', 'https://r.example/#access_token=abc'],
  ['NPM_CONFIG_REGISTRY', '//r.example/:_authToken=abc'],
  ['npm_config_registry', 'https://r.example/x?v=1&sig=9f8'],
  ['YARN_NPM_REGISTRY_SERVER', 'https://r.example/ npmAuthToken: abc'],
  ['GOPROXY', 'https://a.example,https://u:p@b.example|direct'],
  ['GOPROXY', 'https://a.example|https://b.example/k?key=1a2b'],
  ['GOFLAGS', '-mod=mod -ldflags=-X=main.apiToken=abc'],
  ['BUNDLE_MIRROR__ALL', 'jdbc:oracle:thin:scott/tiger@db:1521'],
  ['BUNDLE_MIRROR__ALL', 'jdbc:postgresql://db/x?user=u&password=p'],
  ['UV_DEFAULT_INDEX', `https://r.example/ghp_${'a1'.repeat(18)}/simple`],
  ['CURL_CA_BUNDLE', 'Authorization: Bearer abcdefgh'],
  ['npm_config_registry', '//u:p@r.example/'],
  ['PIP_INDEX_URL', '\\\\u:p@r.example'],
  ['PIP_INDEX_URL', 'https://r.example/?v=1&pat=short'],
  ['GOPROXY', 'https://r.example/?code=abc'],
  ['GOPROXY', 'https://r.example/a:b@c/x'],
  ['NPM_CONFIG_REGISTRY', 'https://www.myget.example/F/feed/auth/01234567-89ab-cdef-0123-456789abcdef/npm/'],
  ['PIP_INDEX_URL', 'https://r.example/t/abcdefghijklmnopqrstuvwx/simple'],
];

const HARMLESS: readonly (readonly [string, string])[] = [
  ['PIP_EXTRA_INDEX_URL', 'https://a.example/simple https://b.example:8443/simple'],
  ['PIP_FIND_LINKS', '/srv/wheels@2026 /srv/more'],
  ['HTTPS_PROXY', 'http://proxy.example:3128'],
  ['HTTP_PROXY', 'proxy:3128'],
  ['ALL_PROXY', 'socks5://[::1]:1080'],
  ['NO_PROXY', 'localhost,127.0.0.1,.example.com,10.0.0.0/8'],
  ['NPM_CONFIG_REGISTRY', 'https://r.example/npm/@scope/'],
  ['NPM_CONFIG_REGISTRY', 'https://r.example/npm/%40scope/'],
  ['NPM_CONFIG_REGISTRY', 'https://pkgs.example/01234567-89ab-cdef-0123-456789abcdef/npm/registry/'],
  ['npm_config_registry', 'http://127.0.0.1:4873/'],
  ['PIP_INDEX_URL', 'https://artifactory.example/artifactory/api/pypi/pypi-virtual/simple'],
  ['PIP_INDEX_URL', 'https://pkgs.example/organisation/_packaging/repository/releases/'],
  ['GOPROXY', 'https://proxy.golang.org,direct'],
  ['GOPROXY', 'file:///srv/go/cache/download'],
  ['GOFLAGS', '-mod=vendor -count=1'],
  ['GOPRIVATE', '*.corp.example.com,github.com/me/*'],
  ['TZ', 'Asia/Shanghai'],
  ['PIP_FIND_LINKS', '//server/share/wheels'],
  ['GOFLAGS', '-tags=compat -vet=off'],
  ['NPM_CONFIG_REGISTRY', 'https://r.example/compat=1/barcode=2/'],
  ['SSL_CERT_FILE', '/etc/ssl/certs/ca-certificates.crt'],
  ['UV_OFFLINE', '1'],
];

describe('what of the operator passes to runs', () => {
  it.each(CARRIES)(
    'E3: keeps %s back, whose value %s has a credential in one of its elements',
    (name, value) => {
      expect(passableEnvironment({ [name]: value })).toEqual({});
    },
  );

  it.each(HARMLESS)('lets %s=%s pass', (name, value) => {
    expect(passableEnvironment({ [name]: value })).toEqual({ [name]: value });
  });

  it('E3: nothing of the bucket reaches a child', () => {
    const bucket = {
      AGENTPR_BUCKET_URL: 'https://s3.example/moves',
      AGENTPR_BUCKET_KEY_ID: 'bucket-key-id',
      AGENTPR_BUCKET_SECRET: 'bucket-secret',
      AGENTPR_BUCKET_REGION: 'bucket-region',
    };
    const child = childEnvironment({ home: '/home', pass: passableEnvironment({ ...bucket, TZ: 'UTC' }) });
    expect(child.TZ).toBe('UTC');
    for (const value of Object.values(bucket)) expect(JSON.stringify(child)).not.toContain(value);
  });

  it('E19: programs print in the language of CI, whatever the operator speaks', () => {
    const operator = { LANG: 'zh_CN.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'zh', LC_MESSAGES: 'fr' };
    const child = childEnvironment({ home: '/home', pass: passableEnvironment(operator) });
    expect(child).toMatchObject({ LANG: 'C.UTF-8' });
    for (const name of ['LC_ALL', 'LANGUAGE', 'LC_MESSAGES']) expect(child).not.toHaveProperty(name);
  });
});
