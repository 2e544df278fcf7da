import { installDebianProgram } from './debian-program.js';
import { OWN_NATS_FOLDER } from './nats-program.js';

/** Downloads nats-server from Debian 13 into a folder of the checkout. Throws an Error with the reason. */
export async function installNatsServer(folder = OWN_NATS_FOLDER, aptGet = 'apt-get'): Promise<void> {
  const wanted = { package: 'nats-server', path: 'usr/sbin/nats-server', version: ['--version'] };
  await installDebianProgram(wanted, folder, aptGet);
}
