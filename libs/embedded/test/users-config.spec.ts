import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUS_USER_NAMES } from '../src/doors/bus.js';
import { deployedUsers, keyVariable } from '../src/users-config.js';

const deploy = join(import.meta.dirname, '../../../../deploy');

describe('the users of the bus in a deployment', () => {
  it('are those of the embedded bus (npm run bus:users writes the file)', () => {
    expect(readFileSync(join(deploy, 'bus', 'users.conf'), 'utf8')).toBe(deployedUsers());
    expect(readFileSync(join(deploy, 'bus', 'nats.conf'), 'utf8')).toMatch(/^include "users\.conf"$/m);
  });

  it('all have keys', () => {
    const services = BUS_USER_NAMES.map((name) => keyVariable(name).replace('NATS_KEY_', ''));
    const [, list = ''] =
      /^ *for service in ([A-Z_ ]+); do$/m.exec(readFileSync(join(deploy, 'make-env.sh'), 'utf8')) ?? [];
    expect(list.split(' ')).toEqual(services);
  });
});
