import type { QualityEvent } from '@ringdown/xml-schemas';
import type { TransportAddress } from '../hep/captured-packet.js';
import { mediaEnd, otherSide, type AgreedMedium, type Parties, type Side } from '../dialogs/agreed-media.js';
import type { VoiceReport } from './read-voice-report.js';
import { ReceivedQuality } from './received-quality.js';
import type { RtcpReport } from './rtcp-report.js';

interface Received {
  readonly medium: AgreedMedium;
  readonly receiver: Side;
  readonly quality: ReceivedQuality;
}

/** What is known of how well the media of one call arrived. */
export class CallQuality {
  private readonly received = new Map<string, Received>();
  private isNew = false;
  private times: Pick<VoiceReport, 'startTime' | 'endTime'> = {};

  /** `from`: where the report came from, by which its side and medium are known. False when it is of no stream of the call. */
  addRtcp({ sentPackets, blocks }: RtcpReport, from: TransportAddress, media: readonly AgreedMedium[]): boolean {
    const place = placeOf(from, media);
    if (!place) return false;
    const { medium, side } = place;
    for (const block of blocks) this.of(medium, side).addBlock(block, medium.codecs[0]?.clockRate ?? 8_000);
    if (sentPackets !== undefined) this.of(medium, otherSide(side)).sent(sentPackets);
    this.isNew ||= blocks.length > 0;
    return true;
  }

  addVoiceReport(report: VoiceReport, media: readonly AgreedMedium[]): boolean {
    const { local, remote, localMeasures, remoteMeasures, startTime, endTime } = report;
    const remotePlace = remote && placeOf(remote, media);
    const place =
      (local && placeOf(local, media)) ?? (remotePlace && { ...remotePlace, side: otherSide(remotePlace.side) });
    if (!place) return false;
    if (localMeasures) this.of(place.medium, place.side).addVoice(localMeasures);
    if (remoteMeasures) this.of(place.medium, otherSide(place.side)).addVoice(remoteMeasures);
    this.times = {
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
    };
    this.isNew ||= localMeasures !== undefined || remoteMeasures !== undefined;
    return true;
  }

  /** Whether something came since it was told last. */
  get hasNews(): boolean {
    return this.isNew;
  }

  /** By the clock of the phone that reported. */
  get reportedTimes(): Pick<VoiceReport, 'startTime' | 'endTime'> {
    return this.times;
  }

  /** One event for each direction that something is known of. */
  tell(parties: Parties): QualityEvent[] {
    this.isNew = false;
    return [...this.received.values()].flatMap(({ medium, receiver, quality }) => {
      const { mediaType, codecs } = medium;
      const sender = otherSide(receiver);
      const metrics = quality.metrics(mediaType);
      if (Object.keys(metrics).length === 0) return [];
      return {
        kind: 'qualityUpdate' as const,
        mediaType,
        from: mediaEnd(parties[sender], medium[sender]),
        to: mediaEnd(parties[receiver], medium[receiver]),
        codecs: codecs.slice(0, 1).map(({ name }) => ({ name })),
        metrics,
      };
    });
  }

  /** A call has two sides and at most as many media as its descriptions may have, so this is bounded. */
  private of(medium: AgreedMedium, receiver: Side): ReceivedQuality {
    const key = `${medium.place} ${receiver}`;
    const known = this.received.get(key);
    const quality = known?.quality ?? new ReceivedQuality();
    this.received.set(key, { medium, receiver, quality });
    return quality;
  }
}

/** Whose media address that is: by address and port, or by the address where only one side has it. */
function placeOf(
  { ip, port }: TransportAddress,
  media: readonly AgreedMedium[],
): { readonly medium: AgreedMedium; readonly side: Side } | undefined {
  const ends = media.flatMap((medium) => [
    { medium, side: 'caller' as const },
    { medium, side: 'callee' as const },
  ]);
  const ofIp = ends.filter(({ medium, side }) => medium[side].ip === ip);
  const exact = ofIp.find(({ medium, side }) => medium[side].port === port || medium[side].rtcpPort === port);
  return exact ?? (ofIp.length === 1 ? ofIp[0] : undefined);
}
