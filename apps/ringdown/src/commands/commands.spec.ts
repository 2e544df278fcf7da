import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceManagerDoes } from './background.js';
import { helpText, manualPage } from './help.js';
import { readInstallation } from './installation.js';
import { loadSettingsFile } from './settings-file.js';
import { COMMANDS } from './table.js';

const names = COMMANDS.map(({ name }) => name);

describe('the table of commands', () => {
  it('has each name once, and programs that exist', () => {
    expect(new Set(names).size).toBe(names.length);
    const files = COMMANDS.flatMap(({ runs }) => (runs instanceof URL ? [runs] : []));
    expect(files.length).toBeGreaterThan(8);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('makes the help and the manual page, which both have each command with what it does', () => {
    const help = helpText({ envFile: '/etc/ringdown.env', dataDir: '/var/lib/ringdown' });
    const page = manualPage('1.0.0');
    for (const { name, about } of COMMANDS) {
      expect(help).toMatch(new RegExp(`^ {2}${name} .*${about.slice(0, 20)}`, 'm'));
      expect(page).toContain(`\n.B ${name.replaceAll('-', String.raw`\-`)}`);
    }
    expect(help).toContain('/etc/ringdown.env');
    expect(`${help}${page}`).not.toMatch(/\bnpm\b/);
  });
});

describe('a folder of the test', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-installation-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function installation(content: object, env = {}): ReturnType<typeof readInstallation> {
    const file = join(folder, 'install.json');
    writeFileSync(file, JSON.stringify(content));
    return readInstallation(env, pathToFileURL(file));
  }

  const tarball = {
    kind: 'tarball',
    envFile: '$XDG_CONFIG_HOME/ringdown/ringdown.env',
    dataDir: '$XDG_DATA_HOME/ringdown',
    backups: '$XDG_DATA_HOME/ringdown-backups',
  };

  it('says where things are, in the home folder or where the XDG variables lead', () => {
    expect(installation(tarball)).toEqual({
      kind: 'tarball',
      root: folder,
      envFile: join(homedir(), '.config/ringdown/ringdown.env'),
      dataDir: join(homedir(), '.local/share/ringdown'),
      backups: join(homedir(), '.local/share/ringdown-backups'),
    });
    const env = { XDG_DATA_HOME: '/srv/data', XDG_CONFIG_HOME: 'relative' };
    expect(installation(tarball, env)).toMatchObject({
      envFile: join(homedir(), '.config/ringdown/ringdown.env'),
      dataDir: '/srv/data/ringdown',
    });
  });

  it('says fixed places of a Debian package', () => {
    const places = { envFile: '/etc/ringdown/ringdown.env', dataDir: '/var/lib/ringdown', backups: '/var/b' };
    const deb = { kind: 'deb', ...places, cache: '/var/c' };
    expect(installation(deb, { XDG_DATA_HOME: '/srv' })).toEqual({ ...deb, root: folder });
  });

  it('says the places that variables name, as in an image', () => {
    const env = { RINGDOWN_ENV_FILE: '/etc/own.env', DATA_DIR: '/data/own', RINGDOWN_BACKUPS: '/data/backups' };
    expect(installation(tarball, env)).toMatchObject({
      envFile: '/etc/own.env',
      dataDir: '/data/own',
      backups: '/data/backups',
    });
  });

  it('has settings that count unless the environment has them, and none where there is no file', () => {
    const file = join(folder, 'ringdown.env');
    const env: NodeJS.ProcessEnv = { PORT: '9443' };
    loadSettingsFile(file, env);
    expect(env).toEqual({ PORT: '9443' });
    writeFileSync(file, '# mine\nPORT=1\nSIP_DOMAINS="a.test, b.test"\n');
    loadSettingsFile(file, env);
    expect(env).toEqual({ PORT: '9443', SIP_DOMAINS: 'a.test, b.test' });
    expect(() => loadSettingsFile(folder, {})).toThrow(/^\S+ cannot be read: EISDIR/);
  });
});

describe('the service manager', () => {
  it('is asked only for a Debian package where systemd runs', () => {
    expect(serviceManagerDoes('start', { kind: 'tarball' }, true)).toBeUndefined();
    expect(serviceManagerDoes('start', { kind: 'deb' }, false)).toBeUndefined();
  });
});
