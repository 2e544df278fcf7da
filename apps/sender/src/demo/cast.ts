/** Somebody of the demo. The first three are also the first users of the directory. */
export interface Actor {
  readonly address: string;
  /** Id of the device that the person is signed in with. */
  readonly epId: string;
  readonly ip: string;
  readonly connection: 'Ethernet' | 'Wifi';
  readonly vpn: boolean;
  /** Which front end the person is signed in at, as an index that wraps around. */
  readonly home: number;
}

const NAMES = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'] as const;

export const DEMO_DOMAIN = 'example.test';

/** Every third one works over the air, who lives far away over the VPN: their calls are the bad ones. */
function actor(name: string, index: number): Actor {
  return {
    address: `${name}@${DEMO_DOMAIN}`,
    epId: `5e1f${index.toString(16).padStart(4, '0')}`,
    ip: index === 8 ? `10.99.0.${20 + index}` : `10.1.${index % 4}.${20 + index}`,
    connection: index % 3 === 2 ? 'Wifi' : 'Ethernet',
    vpn: index === 8,
    home: index,
  };
}

export const cast: readonly [Actor, Actor, ...Actor[]] = [
  actor('alice', 0),
  actor('bob', 1),
  ...NAMES.slice(2).map((name, index) => actor(name, index + 2)),
];
