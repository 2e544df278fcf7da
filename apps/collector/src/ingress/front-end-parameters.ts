import { entriesAt, readJsonFile } from '@ringdown/settings';

/** Values by the names that listeners of the feed use (`maxopen`, `sendrawsdp`; diagnostics-feed.md, 4.3). */
export type Parameters = ReadonlyMap<string, string>;

interface Layers {
  readonly forAll: Parameters;
  /** By lower-cased name. */
  readonly pools: ReadonlyMap<string, Parameters>;
  readonly frontEnds: ReadonlyMap<string, Parameters>;
}

const NONE: Parameters = new Map();
const PARAMETER_NAME = /^[A-Za-z][\w.-]{0,127}$/;
const VALUE_LIMIT = 2_048;

/**
 * The parameters that the operator has configured for front ends. Those of a front end override those of its pool,
 * which override those for all.
 */
export class FrontEndParameters {
  private constructor(private readonly layers: Layers) {}

  static readonly none = new FrontEndParameters({ forAll: NONE, pools: new Map(), frontEnds: new Map() });

  /**
   * From a JSON file with `parameters`, `pools` and `frontEnds`, all of them optional.
   * Throws an Error that completes "COLLECTOR_CONFIGURATION …".
   */
  static read(path: string): FrontEndParameters {
    const layers: { -readonly [K in keyof Layers]: Layers[K] } = {
      forAll: NONE,
      pools: new Map(),
      frontEnds: new Map(),
    };
    for (const [name, value] of entriesAt(readJsonFile(path), '')) {
      if (name === 'parameters') layers.forAll = parametersAt(value, `/${name}`);
      else if (name === 'pools' || name === 'frontEnds') layers[name] = byName(value, `/${name}`);
      else throw new Error(`has an unknown key "/${name}"`);
    }
    return new FrontEndParameters(layers);
  }

  for(frontEnd: string | undefined, pool: string | undefined): Parameters {
    const { forAll, pools, frontEnds } = this.layers;
    const ofPool = pools.get(pool?.toLowerCase() ?? '') ?? NONE;
    const ofFrontEnd = frontEnds.get(frontEnd?.toLowerCase() ?? '') ?? NONE;
    return new Map([...forAll, ...ofPool, ...ofFrontEnd]);
  }
}

function byName(value: unknown, path: string): ReadonlyMap<string, Parameters> {
  const named = new Map<string, Parameters>();
  for (const [name, parameters] of entriesAt(value, path)) {
    const key = name.trim().toLowerCase();
    if (named.has(key)) throw new Error(`names "${path}/${name}" twice; names are compared without regard to case`);
    named.set(key, parametersAt(parameters, `${path}/${name}`));
  }
  return named;
}

function parametersAt(value: unknown, path: string): Parameters {
  return new Map(
    entriesAt(value, path).map(([name, each]) => {
      if (!PARAMETER_NAME.test(name)) throw new Error(`has a parameter at "${path}" with an invalid name: "${name}"`);
      return [name, parameterText(each, `${path}/${name}`)];
    }),
  );
}

/** Settings documents contain `True` and `False` (diagnostics-feed.md, 2.5). */
function parameterText(value: unknown, path: string): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && value.length <= VALUE_LIMIT && value.isWellFormed() && !hasControl(value))
    return value;
  throw new Error(`needs a text of at most ${VALUE_LIMIT} characters, a number, true or false at "${path}"`);
}

/** XML does not allow most of them, and no parameter contains one. */
function hasControl(text: string): boolean {
  return /[\p{Cc}\u{fffe}\u{ffff}]/u.test(text);
}
