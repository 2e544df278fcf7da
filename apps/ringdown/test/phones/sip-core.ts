import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kamailioConfig, NG_PORT, type KamailioSettings } from './kamailio-config.js';
import type { Namespace } from './namespaces.js';
import { CORE } from './phone-network.js';

const ADVICE = 'these tests need a real SIP platform. Install it (Debian: apt-get install kamailio rtpengine-daemon)';

/** Starts Kamailio and rtpengine, and waits until they are ready. They end with their namespace. */
export async function startSipCore(core: Namespace, folder: string, settings: KamailioSettings): Promise<void> {
  const listens = [`--interface=${CORE}`, `--listen-ng=127.0.0.1:${NG_PORT}`, '--port-min=30000', '--port-max=31000'];
  // Table -1: forwarding in the process itself, without the kernel module.
  const manner = ['--table=-1', '--foreground', '--log-stderr', '--log-level=6'];
  const homer = [`--homer=${settings.hep}`, '--homer-protocol=udp', '--homer-id=2002'];
  await untilLogged(core, findProgram('rtpengine', ADVICE), [...manner, ...listens, ...homer], 'Startup complete');
  const config = join(folder, 'kamailio.cfg');
  writeFileSync(config, kamailioConfig(settings));
  const kamailio = ['-f', config, '-DD', '-E', '-m', '32', '-M', '4', '-Y', folder];
  await untilLogged(core, findProgram('kamailio', ADVICE), kamailio, 'Listening on');
}

async function untilLogged(
  namespace: Namespace,
  command: string,
  args: readonly string[],
  ready: string,
): Promise<void> {
  const child = namespace.spawn(command, args);
  let text = '';
  const read = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-20_000));
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  await eventually(`${command} to be ready`, () => {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${text.slice(-2_000)}`);
    return text.includes(ready);
  });
}
