import { deviceId, DOMAIN } from '@ringdown/generated-calls';

/** A user of generated calls. The first three are also the first users of the directory. */
export interface GeneratedUser {
  readonly address: string;
  /** Id of the device that the user is signed in with. */
  readonly epId: string;
  readonly ip: string;
  readonly connection: 'Ethernet' | 'Wifi';
  readonly vpn: boolean;
  /** The front end at which the user is signed in, as an index that wraps around. */
  readonly home: number;
}

const NAMES = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'] as const;

/** Every third user is on Wi-Fi, one far away on a VPN: their calls are the bad ones. */
function user(name: string, index: number): GeneratedUser {
  return {
    address: `${name}@${DOMAIN}`,
    epId: deviceId(index),
    ip: index === 8 ? `10.99.0.${20 + index}` : `10.1.${index % 4}.${20 + index}`,
    connection: index % 3 === 2 ? 'Wifi' : 'Ethernet',
    vpn: index === 8,
    home: index,
  };
}

export const generatedUsers: readonly [GeneratedUser, GeneratedUser, ...GeneratedUser[]] = [
  user('alice', 0),
  user('bob', 1),
  ...NAMES.slice(2).map((name, index) => user(name, index + 2)),
];
