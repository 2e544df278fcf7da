// Ringdown as it runs: bus, token service and application-people as processes of their own, asked over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startNats } from '@ringdown/testing';

const HERE = new URL('.', import.meta.url);

/** What both services and the measurement of memory read the people with. */
export async function startOurs(directoryEnv) {
  const nats = await startNats();
  const children = [];
  const stop = async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await nats.stop();
  };
  try {
    const env = { ...process.env, ...directoryEnv, NATS_URL: nats.url, SERVICE_PORT: '0', INNER_PORT: '0' };
    const start = async (service) => {
      const main = fileURLToPath(new URL(`../../apps/${service}/dist/src/main.js`, HERE));
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      return addressOf(child, service);
    };
    const auth = await start('discovery-auth');
    const people = await start('application-people');
    const search = await signedInSearch(auth, people);
    return { search, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Heap and external memory that the people and their index take, measured alone in a process that collects garbage. */
export async function memoryOfIndex(directoryEnv) {
  const script = fileURLToPath(new URL('memory.mjs', HERE));
  const options = { env: { ...process.env, ...directoryEnv }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, ['--expose-gc', script], options);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the measurement of memory ended with ${code}`);
  return JSON.parse(output);
}

async function addressOf(child, service) {
  const lines = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const address = /"address":"(http:[^"]+)"/.exec(line)?.[1];
    if (address === undefined) continue;
    setImmediate(() => child.stderr.resume());
    return address;
  }
  throw new Error(`${service} did not start:\n${lines.join('\n')}`);
}

async function signedInSearch(auth, people) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = new URLSearchParams({ grant_type: 'password', username: 'p1', password: 'password of p1' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const token = JSON.parse(await ask(agent, `${auth}/uc/token`, { method: 'POST', headers: form }, body));
  const headers = { authorization: `Bearer ${token.access_token}` };
  const wanted = JSON.stringify({ culture: 'en', endpointId: 'bench', userAgent: 'bench' });
  const json = { ...headers, 'content-type': 'application/json' };
  const application = await ask(agent, `${people}/uc/v1/applications`, { method: 'POST', headers: json }, wanted);
  const base = `${people}/uc/v1/applications/${JSON.parse(application).id}/people/search`;
  return async ({ text }) => {
    const answer = await ask(agent, `${base}?query=${encodeURIComponent(text)}&limit=25`, { headers });
    const { _embedded: found, moreResultsAvailable: more } = JSON.parse(answer);
    return { found: found?.contact.length ?? 0, more };
  };
}

function ask(agent, url, options, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, ...options }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk) => (text += chunk));
      incoming.on('end', () => {
        if (incoming.statusCode < 300) resolve(text);
        else reject(new Error(`${url} answered ${incoming.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
