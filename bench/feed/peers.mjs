/**
 * Other software for the same purpose: a server that stores what is posted so that it survives a restart and can be
 * queried. They are downloaded from Debian or npm's registry into a temporary folder and not installed. Software that
 * is not available is undefined.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort, listening } from '@ringdown/embedded';
import { findPostgres, startPostgresServer } from '../postgres-server.mjs';

const FOLDER = join(tmpdir(), 'ringdown-bench-peers');

/** webdis in front of Redis that writes every command to the disk before it replies. */
export async function startWebdis(folder) {
  const root = debian('webdis', [
    'webdis',
    'libhiredis0.14',
    'libb64-0d',
    'redis-server',
    'redis-tools',
    'liblzf1',
    'libjemalloc2',
  ]);
  if (root === undefined) return undefined;
  const [redisPort, port] = [await freePort(), await freePort()];
  const args = ['--port', redisPort, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const redis = run(root, 'usr/bin/redis-server', args.map(String));
  await serving(redis, redisPort);
  const config = join(folder, 'webdis.json');
  const acl = [{ disabled: [], enabled: ['RPUSH'] }];
  const where = { redis_host: '127.0.0.1', redis_port: redisPort, http_host: '127.0.0.1', http_port: port };
  writeFileSync(
    config,
    JSON.stringify({
      ...where,
      threads: 2,
      pool_size: 16,
      daemonize: false,
      acl,
      verbosity: 0,
      logfile: join(folder, 'webdis.log'),
    }),
  );
  const webdis = run(root, 'usr/bin/webdis', [config]);
  await serving(webdis, port);
  const pids = { webdis: webdis.pid, Redis: redis.pid };
  return { base: `http://127.0.0.1:${port}`, shape: 'redis', pids, stop: () => end([webdis, redis]) };
}

/** InfluxDB writes its log to the disk before it replies, with its default settings. */
export async function startInflux(folder) {
  const root = debian('influxdb', ['influxdb']);
  if (root === undefined) return undefined;
  const [port, innerPort] = [await freePort(), await freePort()];
  const config = join(folder, 'influx.conf');
  const place = (name) => JSON.stringify(join(folder, name));
  writeFileSync(
    config,
    `reporting-disabled = true
bind-address = "127.0.0.1:${innerPort}"
[meta]
dir = ${place('meta')}
[data]
dir = ${place('data')}
wal-dir = ${place('wal')}
query-log-enabled = false
[http]
bind-address = "127.0.0.1:${port}"
log-enabled = false
[logging]
level = "error"
`,
  );
  const influx = run(root, 'usr/bin/influxd', ['-config', config]);
  await serving(influx, port);
  const base = `http://127.0.0.1:${port}`;
  const made = await fetch(`${base}/query?q=CREATE+DATABASE+records`, { method: 'POST' });
  await made.arrayBuffer();
  return { base, shape: 'influx', pids: { InfluxDB: influx.pid }, stop: () => end([influx]) };
}

/** nginx with a few lines of Lua that insert into PostgreSQL, one transaction per record. */
export async function startNginx(folder) {
  const programs = findPostgres();
  const lua = [
    'libnginx-mod-http-ndk',
    'libnginx-mod-http-lua',
    'lua-resty-core',
    'lua-resty-lrucache',
    'lua-sql-postgres',
  ];
  const libraries = ['libluajit2-5.1-2', 'libluajit2-5.1-common', 'libpcre3', 'libpq5'];
  const root = programs && debian('nginx', ['nginx', ...lua, ...libraries]);
  if (root === undefined) return undefined;
  const postgres = await startPostgresServer(programs);
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(root, folder, port, postgres.port));
  const nginx = run(root, 'usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await serving(nginx, port);
  const stop = async () => {
    await end([nginx]);
    await postgres.stop();
  };
  return { base: `http://127.0.0.1:${port}`, shape: 'feed', stop };
}

function nginxConfig(root, folder, port, postgresPort) {
  const modules = ['ndk_http_module', 'ngx_http_lua_module'].map(
    (name) => `load_module ${root}/usr/lib/nginx/modules/${name}.so;`,
  );
  const [libraries] = globSync(join(root, 'usr/lib/*-linux-gnu/lua/5.1'));
  return `${modules.join('\n')}
daemon off; user root; pid ${folder}/nginx.pid; error_log ${folder}/error.log error; worker_processes 2;
events { worker_connections 1024; }
http {
  access_log off; client_body_buffer_size 512k; client_max_body_size 512k;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  lua_package_path "${root}/usr/share/lua/5.1/?.lua;;";
  lua_package_cpath "${libraries}/?.so;;";
  init_worker_by_lua_block {
    local driver = require("luasql.postgres").postgres()
    connection = driver:connect("host=127.0.0.1 port=${postgresPort} user=bench dbname=postgres")
    connection:execute("create table if not exists records (id bigserial primary key, received timestamptz default now(), xml text)")
  }
  server {
    listen 127.0.0.1:${port}; keepalive_requests 10000000;
    location / {
      content_by_lua_block {
        ngx.req.read_body()
        local ok, problem = connection:execute("insert into records (xml) values ('" .. connection:escape(ngx.req.get_body_data()) .. "')")
        if not ok then ngx.status = 503; ngx.say(problem) else ngx.say("<Response/>") end
      }
    }
  }
}
`;
}

/** Nest's default adapter is not one of our packages: it comes from npm, in the same versions as the rest of ours. */
export async function startTextbook(folder, nats) {
  const names = [
    '@nestjs/common',
    '@nestjs/core',
    'rxjs',
    'reflect-metadata',
    'fast-xml-parser',
    '@nats-io/jetstream',
    '@nats-io/transport-node',
  ];
  const root = join(FOLDER, 'textbook');
  if (!existsSync(join(root, 'node_modules/@nestjs/platform-express'))) {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"private":true,"type":"module"}');
    const wanted = names.map((name) => `${name}@${versionOf(name)}`);
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      ...wanted,
      `@nestjs/platform-express@^${versionOf('@nestjs/core')}`,
    ];
    if (spawnSync('npm', args, { cwd: root, stdio: 'ignore' }).status !== 0) return undefined;
  }
  const script = join(root, 'textbook.mjs');
  copyFileSync(fileURLToPath(new URL('textbook.mjs', import.meta.url)), script);
  const { host, username, password } = new URL(nats.url);
  const child = spawn(process.execPath, [script, host, username, password], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [base] = await once(createInterface({ input: child.stdout }), 'line');
  const pids = { server: child.pid, bus: nats.pid };
  return { base: base.replace('[::1]', '127.0.0.1'), shape: 'feed', pids, stop: () => end([child]) };
}

function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}

/** The folder into which the packages were unpacked. */
function debian(name, packages) {
  const root = join(FOLDER, name);
  if (existsSync(root)) return root;
  const downloads = join(FOLDER, `${name}-packages`);
  mkdirSync(downloads, { recursive: true });
  const options = { cwd: downloads, stdio: 'ignore' };
  if (spawnSync('apt-get', ['download', ...packages], options).status !== 0) return undefined;
  for (const file of globSync(join(downloads, '*.deb'))) {
    if (spawnSync('dpkg', ['-x', file, root], options).status !== 0) return undefined;
  }
  return root;
}

function run(root, program, args) {
  const libraries = globSync(join(root, '{lib,usr/lib}/*-linux-gnu')).join(':');
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries };
  return spawn(join(root, program), args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function serving(child, port) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnfile} ended with ${code} before it served`);
  });
  await Promise.race([listening(port), ended]);
  // From here on its end does not matter.
  ended.catch(() => undefined);
}

async function end(children) {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
