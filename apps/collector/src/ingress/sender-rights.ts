import type { SentBy } from '@ringdown/contracts/records';
import { NetworkList } from '@ringdown/node-http';
import { entriesAt, readJsonFile, setting } from '@ringdown/settings';

/** The front ends for which a sender may report. */
interface Names {
  readonly isAll: boolean;
  /** Lower-cased. */
  readonly exact: ReadonlySet<string>;
  /** `.pool1.example.test` for `*.pool1.example.test`. */
  readonly suffixes: readonly string[];
}

interface OfNetwork {
  readonly prefix: number;
  readonly addresses: NetworkList;
  readonly names: Names;
}

const NAME = /^(?:\*|(?:\*\.)?[^\s*,<>]{1,255})$/;
const networks = setting.networks('', { task: 'frontEnds', about: '' });

/** Which senders may report for which front ends: the operator's rules for certificates and for addresses. */
export class SenderRights {
  /** All requests of a connection share one object that identifies its sender. */
  private readonly known = new WeakMap<SentBy, { readonly names: Names | undefined }>();

  private constructor(
    private readonly certificates: ReadonlyMap<string, Names>,
    /** The smallest networks first. */
    private readonly addresses: readonly OfNetwork[],
  ) {}

  /**
   * From a JSON file with `certificates` and `addresses`, both of them optional.
   * Throws an Error that completes "COLLECTOR_SENDERS …".
   */
  static read(path: string): SenderRights {
    let certificates: ReadonlyMap<string, Names> = new Map();
    let addresses: readonly OfNetwork[] = [];
    for (const [name, value] of entriesAt(readJsonFile(path), '')) {
      const entries = entriesAt(value, `/${name}`);
      if (name === 'certificates') certificates = new Map(entries.map(([key, names]) => [key, namesAt(names, key)]));
      else if (name === 'addresses') addresses = entries.flatMap(([key, names]) => ofNetworks(key, names));
      else throw new Error(`has an unknown key "/${name}"`);
    }
    return new SenderRights(
      certificates,
      addresses.toSorted((a, b) => b.prefix - a.prefix),
    );
  }

  /**
   * A rule for the certificate takes precedence over one for the address. A sender without a rule may report for none.
   */
  allows(sender: SentBy, frontEnd: string): boolean {
    const names = this.namesOf(sender);
    const name = frontEnd.toLowerCase();
    if (names === undefined) return false;
    return names.isAll || names.exact.has(name) || names.suffixes.some((suffix) => name.endsWith(suffix));
  }

  /** Whether the operator has listed exactly this name. */
  mentions(frontEnd: string): boolean {
    const name = frontEnd.toLowerCase();
    const all = [...this.certificates.values(), ...this.addresses.map(({ names }) => names)];
    return all.some(({ exact }) => exact.has(name));
  }

  private namesOf(sender: SentBy): Names | undefined {
    const known = this.known.get(sender);
    if (known !== undefined) return known.names;
    const { remoteAddress, certificateSubject } = sender;
    const ofCertificate = certificateSubject === undefined ? undefined : this.certificates.get(certificateSubject);
    const names = ofCertificate ?? this.addresses.find(({ addresses }) => addresses.has(remoteAddress))?.names;
    this.known.set(sender, { names });
    return names;
  }
}

function ofNetworks(key: string, value: unknown): readonly OfNetwork[] {
  const names = namesAt(value, key);
  try {
    return networks.parse(key).map((network) => {
      // Of two networks that contain an address the smaller one counts, regardless of the family.
      const prefix = network.prefix + (network.family === 'ipv4' ? 96 : 0);
      return { prefix, addresses: new NetworkList([network]), names };
    });
  } catch (cause) {
    throw new Error(`has a key "${key}" at "/addresses" that is not an address or network`, { cause });
  }
}

function namesAt(value: unknown, key: string): Names {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && NAME.test(name))) {
    throw new Error(`needs a list of names of front ends, "*.domain" or "*" for "${key}"`);
  }
  const names = value.map((name) => String(name).toLowerCase());
  return {
    isAll: names.includes('*'),
    exact: new Set(names.filter((name) => !name.startsWith('*'))),
    suffixes: names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1)),
  };
}
