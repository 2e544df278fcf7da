import { errorReason } from '@ringdown/errors';
import { ensureNatsServer } from './ensure-nats-server.js';

// Program of scripts/prepare.mjs.
try {
  await ensureNatsServer({
    allowOld: process.env['ALLOW_OLD_NATS_SERVER'] === 'on',
    onDownload: () => process.stderr.write('Downloading nats-server 2.10 from Debian 13 …\n'),
  });
} catch (error) {
  process.stderr.write(`ringdown: ${errorReason(error)}\n`);
  process.exitCode = 1;
}
