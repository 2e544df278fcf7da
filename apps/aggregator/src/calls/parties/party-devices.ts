import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { QualityEvent } from '@ringdown/xml-schemas/record';
import type { PartyDevices } from '../call.js';
import type { PartyTable } from './party-table.js';

/** The devices of each party, by its key: reports name the microphone of the sender and the loudspeaker of the receiver. */
export function devicesOf(
  reports: readonly QualityEvent[],
  parties: PartyTable,
): ReadonlyMap<number | undefined, PartyDevices> {
  const devices = new Map<number | undefined, PartyDevices>();
  for (const { from, to, metrics } of reports) {
    const textOf = (metric: string): string | undefined => {
      const value = metrics[metric]?.value;
      return value === undefined ? undefined : String(value);
    };
    const add = (party: number | undefined, of: PartyDevices): void => {
      if (party !== undefined) devices.set(party, { ...devices.get(party), ...of });
    };
    add(
      parties.keyOf(from),
      withoutAbsent({
        captureDevice: textOf('CaptureDevice'),
        captureDeviceDriver: textOf('CaptureDeviceDriver'),
      }),
    );
    add(
      parties.keyOf(to),
      withoutAbsent({ renderDevice: textOf('RenderDevice'), renderDeviceDriver: textOf('RenderDeviceDriver') }),
    );
  }
  return devices;
}
