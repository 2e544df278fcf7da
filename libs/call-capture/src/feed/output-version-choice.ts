import { readAcceptedVersions, type OutputVersion } from '@ringdown/xml-schemas';

const NEWEST_FIRST: readonly OutputVersion[] = ['D', 'C'];

/**
 * The version of the records: the configured one, or the newest that the collector names in its configuration. A
 * collector that names none gets 1.0, the version of the specification.
 */
export class OutputVersionChoice {
  private accepted: OutputVersion = '1.0';

  constructor(private readonly configured: OutputVersion | undefined) {}

  get current(): OutputVersion {
    return this.configured ?? this.accepted;
  }

  /** The answer of the collector that gets the records from now on. Returns whether the version has changed. */
  onConfiguration(configuration: string): boolean {
    const before = this.current;
    const named = readAcceptedVersions(configuration);
    this.accepted = NEWEST_FIRST.find((version) => named.includes(version)) ?? '1.0';
    return this.current !== before;
  }
}
