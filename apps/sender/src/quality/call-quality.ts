import type { TransportAddress } from '@ringdown/capture';
import type { QualityEvent } from '@ringdown/xml-schemas';
import { mediaEnd, otherSide, type AgreedMedium, type Parties, type Side } from '../media/agreed-media.js';
import type { VoiceReport } from './read-voice-report.js';
import { ReceivedQuality } from './received-quality.js';
import type { RtcpReport } from './rtcp-report.js';

interface Received {
  readonly medium: AgreedMedium;
  readonly receiver: Side;
  readonly quality: ReceivedQuality;
}

/** The quality of the media of one call, from all reports. */
export class CallQuality {
  private readonly received = new Map<string, Received>();
  private unreported = false;
  private times: Pick<VoiceReport, 'startTime' | 'endTime'> = {};

  /** `from`: the source address, which identifies side and medium. Returns false if the report is of no stream of the call. */
  addRtcp({ sentPackets, blocks }: RtcpReport, from: TransportAddress, media: readonly AgreedMedium[]): boolean {
    const place = findMedium(from, media);
    if (!place) return false;
    const { medium, side } = place;
    for (const block of blocks) this.qualityOf(medium, side).addBlock(block, medium.codecs[0]?.clockRate ?? 8_000);
    if (sentPackets !== undefined) this.qualityOf(medium, otherSide(side)).sent(sentPackets);
    this.unreported ||= blocks.length > 0;
    return true;
  }

  addVoiceReport(report: VoiceReport, media: readonly AgreedMedium[]): boolean {
    const { local, remote, localMeasures, remoteMeasures, startTime, endTime } = report;
    const remotePlace = remote && findMedium(remote, media);
    const place =
      (local && findMedium(local, media)) ?? (remotePlace && { ...remotePlace, side: otherSide(remotePlace.side) });
    if (!place) return false;
    if (localMeasures) this.qualityOf(place.medium, place.side).addVoice(localMeasures);
    if (remoteMeasures) this.qualityOf(place.medium, otherSide(place.side)).addVoice(remoteMeasures);
    this.times = {
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
    };
    this.unreported ||= localMeasures !== undefined || remoteMeasures !== undefined;
    return true;
  }

  /** Whether reports arrived since the last flush. */
  get hasUnreported(): boolean {
    return this.unreported;
  }

  /** By the clock of the phone that reported. */
  get reportedTimes(): Pick<VoiceReport, 'startTime' | 'endTime'> {
    return this.times;
  }

  /** One event for each direction with measurements. */
  flush(parties: Parties): QualityEvent[] {
    this.unreported = false;
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

  /** Bounded: a call has two sides, and its session descriptions a limited number of media. */
  private qualityOf(medium: AgreedMedium, receiver: Side): ReceivedQuality {
    const key = `${medium.place} ${receiver}`;
    const known = this.received.get(key);
    const quality = known?.quality ?? new ReceivedQuality();
    this.received.set(key, { medium, receiver, quality });
    return quality;
  }
}

/** The medium and side of an address: by address and port, or by the address alone if only one side uses it. */
function findMedium(
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
