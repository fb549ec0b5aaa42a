// FIG-23: trials to get out of the fence, each with what would show that it did. What a trial writes, reads or reaches is looked
// at from outside; what only shows inside says ESCAPED. Controls show that the trials can succeed where there is no fence.
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { PROTECTED_NAMES } from '../../../src-main/policy/protected-paths.ts';
import { createConfiner } from '../../../src-main/tools/process/create-confiner.ts';
import { openTools, type OpenedTools } from '../../helpers/opened-tools.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const { available, reason } = await createConfiner().probe();
const LONG = process.env['WARRANT_LONG'] === '1';
let trials = 0;
afterAll(() => {
  if (LONG) console.log(`FIG-23: ${trials} trials, none escaped`);
});

const isThere = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
const read = (file: string): string => fs.readFileSync(file, 'utf8');

/** Runs each script in one call, each in a shell of its own, and gives what they said, by name. */
async function runAll(tools: OpenedTools, scripts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const names = Object.keys(scripts);
  trials += names.length;
  const all = names.map((name, at) => {
    fs.writeFileSync(path.join(tools.root, `trial-${at}.sh`), scripts[name] ?? '');
    return `echo "@@${at}"; timeout -k 1 20 sh ./trial-${at}.sh 2>&1 < /dev/null`;
  });
  const { content } = await tools.call('shell', { command: all.join('\n'), timeout_ms: 600_000 });
  const said = Object.fromEntries(
    content.split(/^@@/m).flatMap((part) => {
      const at = /^(\d+)\n/.exec(part)?.[1];
      return at === undefined ? [] : [[names[Number(at)] ?? '', part.slice(at.length + 1)]];
    }),
  );
  expect(Object.keys(said)).toEqual(names);
  return said;
}

/** None of the scripts may say ESCAPED. */
async function noneEscapes(tools: OpenedTools, scripts: Readonly<Record<string, string>>): Promise<void> {
  const said = await runAll(tools, scripts);
  const escaped = Object.entries(said).filter(([, text]) => text.includes('ESCAPED'));
  expect(escaped).toEqual([]);
}

const NAMES = [...PROTECTED_NAMES.filter((name) => name !== '.git'), '.github/workflows'];
/** Ways to make a name that is not there yet. */
const MAKINGS: Readonly<Record<string, (at: string) => string>> = {
  'as a file': (at) => `mkdir -p "$(dirname ${at})"; echo evil > ${at}`,
  'as a folder': (at) => `mkdir -p ${at}; echo evil > ${at}/tasks.json`,
  'as a link': (at) => `mkdir -p "$(dirname ${at})"; echo evil > plain; ln -s plain ${at}`,
  'by a rename': (at) => `mkdir -p "$(dirname ${at})"; echo evil > other-$$; mv other-$$ ${at}`,
  'as a second name': (at) => `mkdir -p "$(dirname ${at})"; echo evil > first-$$; ln first-$$ ${at}`,
  'by a rename of its parent': (at) =>
    `mkdir -p made-$$/$(dirname ${at}); echo evil > made-$$/${at}; mv made-$$ moved-$$`,
};

/** Every protected name that is somewhere in a tree. */
function protectedIn(root: string): string[] {
  const names = new Set(NAMES.map((name) => path.basename(name)));
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => names.has(path.basename(file)) && !file.includes('.warrant-aside-'));
}

describe.skipIf(!available)(`a fence${available ? '' : ` (skipped: ${reason})`}`, { timeout: 300_000 }, () => {
  it.each(Object.entries(MAKINGS))('M8: holds the first creation of each protected name %s', async (_way, make) => {
    const tools = await openTools({ confined: true });
    const scripts = Object.fromEntries(
      NAMES.map((name, at) => [name, `mkdir -p in${at % 3}/d${at}; cd in${at % 3}/d${at}; ${make(name)}`]),
    );
    await runAll(tools, scripts);
    expect(protectedIn(tools.root)).toEqual([]);
    const free = await openTools();
    await runAll(free, scripts);
    trials -= NAMES.length;
    expect(protectedIn(free.root).length).toBe(NAMES.length);
  });

  it('holds what is protected and there: in place, by its parents, by links and second names', async () => {
    const tools = await openTools({ confined: true });
    const at = (file: string): string => path.join(tools.root, file);
    await tools.call('shell', { command: 'git init -q . && git init -q sub/deep' });
    for (const file of [
      '.vscode/tasks.json',
      '.github/workflows/ci.yml',
      'a/b/.envrc',
      '.warrant.json',
      '.husky/pre-commit',
    ]) {
      fs.mkdirSync(path.dirname(at(file)), { recursive: true });
      fs.writeFileSync(at(file), 'as it was');
    }
    const kept = [
      '.git/config',
      'sub/deep/.git/config',
      '.vscode/tasks.json',
      '.github/workflows/ci.yml',
      'a/b/.envrc',
      '.warrant.json',
      '.husky/pre-commit',
    ];
    const before = kept.map((file) => read(at(file)));
    await runAll(tools, {
      ...Object.fromEntries(kept.map((file) => [`write ${file}`, `echo evil >> ${file}`])),
      ...Object.fromEntries(kept.map((file) => [`remove ${file}`, `rm -f ${file}`])),
      ...Object.fromEntries(kept.map((file) => [`replace ${file}`, `echo evil > x-$$; mv -f x-$$ ${file}`])),
      ...Object.fromEntries(
        kept.map((file) => [
          `exchange ${file}`,
          `mv $(dirname ${file}) aside-$$; mkdir -p $(dirname ${file}); echo evil > ${file}`,
        ]),
      ),
      ...Object.fromEntries(kept.map((file) => [`second name ${file}`, `ln ${file} y-$$ && echo evil >> y-$$`])),
      'top folder': 'mv a z; mkdir -p a/b; echo evil > a/b/.envrc',
      'hooks by a link': 'rm -rf .git/hooks; ln -s ../evil .git/hooks',
      'hooks by a file': 'echo evil > .git/hooks/pre-commit',
      chmod: 'chmod 777 .git/config .husky/pre-commit; echo evil >> .git/config',
      truncate: 'truncate -s 0 .git/config; : > .vscode/tasks.json',
      unmount: 'umount .git/config; umount -l .vscode; echo evil > .git/config',
      'bind over': 'mkdir e; echo evil > e/config; mount --bind e .git',
      'by /proc': 'echo evil > /proc/self/cwd/.git/config; echo evil > /proc/self/root$PWD/.git/config',
    });
    expect(kept.map((file) => read(at(file)))).toEqual(before);
    expect(fs.readdirSync(at('.git/hooks')).filter((name) => !name.endsWith('.sample'))).toEqual([]);
  });

  it('holds links that stand at its set-up, on the name itself and on the way to it', async () => {
    const outside = await tempFolder();
    fs.writeFileSync(path.join(outside, 'config'), 'as it was');
    fs.mkdirSync(path.join(outside, 'hooks'));
    const links: Readonly<Record<string, string>> = {
      '.git': outside,
      '.vscode': outside,
      'a/.husky': outside,
      way: path.dirname(outside),
      '.github': outside,
      'b/.envrc': path.join(outside, 'config'),
      '.env': path.join(outside, 'config'),
    };
    for (const [link, target] of Object.entries(links)) {
      const tools = await openTools({ confined: true });
      fs.mkdirSync(path.dirname(path.join(tools.root, link)), { recursive: true });
      fs.symlinkSync(target, path.join(tools.root, link));
      await noneEscapes(tools, {
        [`write by ${link}`]: `echo evil > ${link}/config; echo evil > ${link}; [ -e ${outside}/config ] && echo ESCAPED`,
        [`make by ${link}`]: `echo evil > ${link}/made; mkdir ${link}/hooks2; cat ${link}/config 2>/dev/null | grep -q 'as it was' && echo ESCAPED`,
      });
      expect(read(path.join(outside, 'config'))).toBe('as it was');
      expect(fs.readdirSync(outside).sort()).toEqual(['config', 'hooks']);
    }
  });

  it('holds while somebody outside swaps the parents of what it protects', async () => {
    const tools = await openTools({ confined: true });
    const outside = await tempFolder();
    const [folder, link] = [path.join(tools.root, 'd'), path.join(tools.root, 'l')];
    fs.mkdirSync(path.join(folder, '.husky'), { recursive: true });
    fs.symlinkSync(outside, link);
    const attacker = spawn(
      process.execPath,
      [path.resolve(import.meta.dirname, '../../helpers/swap-attacker.ts'), folder, link],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => void attacker.kill('SIGKILL'));
    await new Promise((resolve) => attacker.stdout.once('data', resolve));
    for (let n = 0; n < (LONG ? 30 : 5); n++) {
      trials += 1;
      await tools.call('shell', {
        command: 'mkdir -p d/.husky; echo evil > d/.husky/made; echo evil > d/made; echo evil > l/made',
      });
      expect(fs.readdirSync(outside)).toEqual([]);
    }
  });

  it('holds writes to everything but the workspace', async () => {
    const tools = await openTools({ confined: true });
    const name = `warrant-escape-${process.pid}`;
    const folders = [
      '/etc',
      '/usr',
      '/usr/bin',
      '/opt',
      '/root',
      '/home',
      '/var',
      '/var/tmp',
      '/tmp',
      '/run',
      '/dev',
      '/dev/shm',
      '/',
      '/lib',
      '/srv',
      '/mnt',
      '/proc',
      '/sys',
      os.homedir(),
      path.dirname(tools.root),
    ];
    await runAll(tools, {
      ...Object.fromEntries(folders.map((folder) => [`write in ${folder}`, `echo out > ${folder}/${name}`])),
      'up from the workspace': `echo out > ../${name}; echo out > ../../${name}; cd ..; mkdir ${name}`,
      'by a link': `ln -s /etc e; echo out > e/${name}; ln -s .. up; echo out > up/${name}`,
      'by the root of another': `echo out > /proc/1/root/${name}; echo out > /proc/1/cwd/../${name}`,
    });
    for (const folder of folders) expect([folder, isThere(path.join(folder, name))]).toEqual([folder, false]);
    expect(isThere(path.join(path.dirname(path.dirname(tools.root)), name))).toBe(false);
  });

  it('holds reads of the home folder, of likely secrets and of what another project has', async () => {
    const home = await tempFolder();
    const other = await tempFolder();
    const word = `secret-${process.pid}`;
    for (const file of [
      '.ssh/id_rsa',
      '.aws/credentials',
      '.netrc',
      '.npmrc',
      '.git-credentials',
      '.config/gcloud/x',
      'notes',
    ])
      put(path.join(home, file), word);
    put(path.join(other, 'file'), word);
    const tools = await openTools({ confined: true, home });
    for (const file of [
      '.env',
      '.env.local',
      'x/.ssh/id_rsa',
      'a/server.key',
      'deep/er/credentials.json',
      'secrets.yml',
    ])
      put(path.join(tools.root, file), word);
    const find = (place: string): string => `grep -rqs ${word} ${place} && echo ESCAPED`;
    await noneEscapes(tools, {
      'the home folder': find(home),
      'by HOME': find('"$HOME"'),
      'by a link to home': `ln -s ${home} h; ${find('h/')}`,
      'another project': find(other),
      'a link to another project': `ln -s ${other} o; ${find('o/')}`,
      'secrets in the workspace': `cat .env .env.local x/.ssh/id_rsa a/server.key deep/er/credentials.json secrets.yml | grep -q ${word} && echo ESCAPED`,
      'a secret under another name': `mv x y; mv deep d2; cat y/.ssh/id_rsa d2/er/credentials.json | grep -q ${word} && echo ESCAPED`,
      'a second name of a secret': `ln .env plain; cp .env copy; cat plain copy | grep -q ${word} && echo ESCAPED`,
      'a secret by /proc': `cat /proc/self/cwd/.env /proc/1/cwd/.env /proc/1/root$PWD/.env | grep -q ${word} && echo ESCAPED`,
      'a secret uncovered': `umount .env; umount -l .env; rm -f .env; cat .env | grep -q ${word} && echo ESCAPED`,
      'git sees it': `git init -q g; git --git-dir=g/.git --work-tree=. add -f .env; git --git-dir=g/.git show :.env | grep -q ${word} && echo ESCAPED`,
    });
    expect(read(path.join(tools.root, '.env'))).toBe(word);
  });

  it('holds the network: loopback, sockets by path and by name', async () => {
    const folder = await tempFolder();
    const reached: string[] = [];
    const listen = async (name: string, where: string | number): Promise<net.Server> => {
      const server = net.createServer((socket) => {
        reached.push(name);
        socket.end('ESCAPED');
      });
      await new Promise<void>((resolve) =>
        typeof where === 'number' ? server.listen(where, '127.0.0.1', resolve) : server.listen(where, resolve),
      );
      onTestFinished(() => void server.close());
      return server;
    };
    const tcp = await listen('tcp', 0);
    const byPath = path.join(folder, 'socket');
    await listen('path', byPath);
    const shared = `/tmp/warrant-${process.pid}.sock`;
    await listen('tmp', shared);
    const abstract = `\0warrant-${process.pid}`;
    await listen('abstract', abstract);
    const { port } = tcp.address() as net.AddressInfo;
    const connect = (target: string): string =>
      `node -e 'const s=require("net").connect(${target});s.on("data",(d)=>console.log(String(d)));s.on("error",(e)=>console.log(e.code))'`;
    const scripts = {
      loopback: connect(`${port},"127.0.0.1"`),
      'loopback by name': connect(`${port},"localhost"`),
      'every address': connect(`${port},"0.0.0.0"`),
      IPv6: connect(`${port},"::ffff:127.0.0.1"`),
      'a socket by path': connect(JSON.stringify(byPath)),
      'a socket in /tmp': connect(JSON.stringify(shared)),
      'an abstract socket': connect(`"\\0warrant-${process.pid}"`),
    };
    const more = {
      'a socket of the machine':
        'for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/user/*/bus; do [ -S $s ] && echo ESCAPED; done',
      'an interface': 'ip link add x type dummy && ip link set lo up && ip route add default dev lo && echo ESCAPED',
      'raw packets': 'ping -c 1 -W 1 127.0.0.2 > /dev/null && ping -c 1 -W 1 1.1.1.1 > /dev/null && echo ESCAPED',
      names: 'getent hosts example.org && echo ESCAPED',
    };
    const options = { path: path.dirname(process.execPath) };
    await noneEscapes(await openTools({ confined: true, ...options }), { ...scripts, ...more });
    expect(reached).toEqual([]);
    // Without the fence the same words do reach them.
    await runAll(await openTools(options), scripts);
    trials -= Object.keys(scripts).length;
    expect(new Set(reached)).toEqual(new Set(['tcp', 'path', 'tmp', 'abstract']));
  });

  it('holds descriptors, /proc, other processes, namespaces, mounts, devices and the terminal', async () => {
    const tools = await openTools({ confined: true, path: path.dirname(process.execPath) });
    const victim: ChildProcess = spawn('sleep', ['600'], { env: { VICTIM: 'ESCAPED' } });
    onTestFinished(() => void victim.kill('SIGKILL'));
    const pid = String(victim.pid);
    const me = String(process.pid);
    await noneEscapes(tools, {
      'inherited descriptors':
        'for f in /proc/self/fd/*; do n=${f##*/}; [ "$n" -gt 2 ] && [ "$(readlink $f)" != "" ] && case "$(readlink $f)" in /proc/*|*trial-*) ;; *) echo "ESCAPED $(readlink $f)";; esac; done',
      'descriptors by number':
        'for n in 3 4 5 6 7 8 9; do (eval "cat <&$n") > /dev/null 2>&1 && echo ESCAPED; (eval "ls /proc/self/fd/$n/..") 2>/dev/null && echo ESCAPED; done',
      'descriptors of the first process':
        'for f in /proc/1/fd/*; do case "$(readlink $f 2>/dev/null)" in ""|pipe:*|/dev/null|socket:*|anon_inode:*) ;; *) echo "ESCAPED $(readlink $f)";; esac; done',
      'processes of the machine': `[ -d /proc/${pid} ] && tr '\\0' '\\n' < /proc/${pid}/environ`,
      'the harness': `grep -aq 'vites[t]' /proc/*/cmdline && echo ESCAPED`,
      'signals to another': `kill -9 ${pid} && echo ESCAPED`,
      'signals to the harness': `kill -0 ${me} && echo ESCAPED`,
      ptrace: `strace -p ${pid} -o /dev/null -c & sleep 0.3; gdb -batch -p ${pid} 2>&1 | grep -q Attached && echo ESCAPED; kill %1`,
      'ptrace of the first':
        'strace -p 1 -e none 2>&1 & sleep 0.3; kill %1; cat /proc/1/mem > /dev/null 2>&1 && echo ESCAPED',
      'memory of another': `cat /proc/${pid}/maps && echo ESCAPED`,
      'a user namespace': 'unshare -U true && echo ESCAPED',
      'a user namespace as root': 'unshare -Ur true && echo ESCAPED',
      'a mount namespace': 'unshare -m true && echo ESCAPED',
      'a network namespace': 'unshare -n true && echo ESCAPED',
      'a pid namespace': 'unshare -p true && echo ESCAPED',
      'the namespaces of the first': 'nsenter -t 1 -m -n -p true && echo ESCAPED',
      'a mount': 'mkdir m; mount -t tmpfs none m && echo ESCAPED',
      'a bind': 'mkdir b; mount --bind / b && echo ESCAPED',
      'proc anew': 'mkdir p; mount -t proc proc p && echo ESCAPED',
      'a remount': 'mount -o remount,rw / && echo ESCAPED; mount -o remount,rw,bind /usr && echo ESCAPED',
      'a root of its own': 'mkdir -p r/bin; cp /bin/sh r/bin; chroot r /bin/sh -c : && echo ESCAPED',
      pivot: 'mkdir -p q/old; pivot_root q q/old && echo ESCAPED',
      capabilities: 'grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo ESCAPED',
      'capabilities to be had': 'grep -q "^CapBnd:.*[1-9a-f]" /proc/self/status && echo ESCAPED',
      'new privileges': 'grep -q "^NoNewPrivs:.*1" /proc/self/status || echo ESCAPED',
      'a device': 'mknod d b 8 0 && echo ESCAPED; mknod k c 1 1 && echo ESCAPED',
      disks:
        'for d in /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmem /dev/kvm /dev/fuse; do [ -e $d ] && echo ESCAPED; done',
      'core pattern': 'cat /proc/sys/kernel/core_pattern > c; cat c > /proc/sys/kernel/core_pattern && echo ESCAPED',
      'the host name': 'hostname evil-name; true',
      'kernel settings':
        'for f in $(find /proc/sys /proc/irq /proc/bus /proc/fs /proc/pressure -type f -writable 2>/dev/null | head -50); do [ -w $f ] && echo "ESCAPED $f"; done; [ -w /proc/sysrq-trigger ] && echo ESCAPED; [ -w /proc/mtrr ] && echo ESCAPED',
      'uevent helper':
        '[ -w /sys/kernel/uevent_helper ] && echo ESCAPED; [ $(find /sys -type f -writable 2>/dev/null | wc -l) -gt 0 ] && echo ESCAPED',
      modules: 'modprobe dummy && echo ESCAPED; insmod x.ko && echo ESCAPED',
      'control groups': 'for c in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $c/evil 2>/dev/null && echo ESCAPED; done',
      'the clock': 'date -s "$(date)" > /dev/null 2>&1 && echo ESCAPED',
      'words for the terminal': `node -e 'try{require("fs").openSync("/dev/tty","r+");console.log("ESCAPED")}catch{}'`,
      ownership: 'chown 1234 trial-0.sh && echo ESCAPED',
      'set-user-id': 'cp /bin/sh s; chmod u+s s; ./s -c "echo out > /etc/warrant-suid" && echo ESCAPED',
      priority: 'nice -n -5 true 2>&1 | grep -q . || [ "$(nice -n -5 nice)" -ge 0 ] || echo ESCAPED',
      keys: 'cat /proc/keys 2>/dev/null | grep -q user: && echo ESCAPED',
      'System V memory of the machine': '[ "$(ipcs -m 2>/dev/null | grep -c 0x)" -gt 0 ] && echo ESCAPED',
    });
    trials += 1;
    await tools.call('shell', { command: 'kill -TERM -1; kill -KILL -1; true' });
    expect(victim.exitCode ?? victim.signalCode).toBe(null);
    expect(isThere('/etc/warrant-suid')).toBe(false);
    expect(os.hostname()).not.toBe('evil-name');
  });

  it('holds what its program was given open by whoever started it', async () => {
    const folder = await tempFolder();
    const secret = path.join(await tempFolder(), 'open');
    fs.writeFileSync(secret, '');
    const descriptor = fs.openSync(secret, 'r+');
    // Far above the others: Node itself closes those that come one after the other.
    const stdio = Array.from({ length: 41 }, (_, at) => (at === 40 ? descriptor : ('ignore' as const)));
    const script = path.join(import.meta.dirname, 'shell-child.ts');
    const command = 'ls -l /proc/$$/fd > said 2>&1';
    const child = spawn(process.execPath, [script, folder, command], { stdio });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    fs.closeSync(descriptor);
    trials += 1;
    expect(code).toBe(0);
    expect(read(path.join(folder, 'said'))).toContain('/dev/null');
    expect(read(path.join(folder, 'said'))).not.toContain(' 40 -> ');
  });

  it('there are at least 120 trials', () => {
    expect(trials).toBeGreaterThanOrEqual(120);
  });
});

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
