import type { VendorNames } from './vendor-names.js';

/** One side of a call in a record. */
export interface Side {
  readonly id: string;
  readonly epId: string;
  readonly uri: string;
  readonly ip: string;
  readonly port: number;
}

export interface RecordOptions {
  readonly names: VendorNames;
  readonly callId: string;
  readonly frontEnd: string;
  readonly caller: Side;
  readonly callee: Side;
  /** Time of the first activity, milliseconds since 1970. */
  readonly startsAt: number;
}

/** Writes the records of a call in the form of the specification: "Diagnostics record (XML)". */
export class CallRecords {
  private cseq = 1;

  constructor(readonly options: RecordOptions) {}

  start(media: readonly string[] = ['audio'], seconds = 0): string {
    const { caller, callee } = this.options;
    const streams = media.flatMap((medium) => [stream(medium, caller, callee), stream(medium, callee, caller)]);
    return this.record(streams.join(''), seconds, {
      cseq: true,
      more: '<ConversationId>AdGq7wB2k1xMtYQ8</ConversationId>',
    });
  }

  ended(seconds: number): string {
    const { caller, callee } = this.options;
    return this.record(`<Ended>${endPoint(caller)}${endPoint(callee)}</Ended>`, seconds, { cseq: true });
  }

  error(code: number, phrase: string, diagnostics: string, seconds = 0): string {
    const { caller, callee, names } = this.options;
    const text = `<${names.diagnosticsElement}>${diagnostics}</${names.diagnosticsElement}>`;
    const properties = `<Properties><ResponseCode Code="${code}">${phrase}</ResponseCode>${text}</Properties>`;
    const second = `<EndPoint><Id>${callee.id}</Id><URI>${callee.uri}</URI></EndPoint>`;
    return this.record(`<Error>${endPoint(caller)}${second}${properties}</Error>`, seconds, { cseq: true });
  }

  /** `metrics`: the elements inside `Properties`. */
  quality(medium: string, metrics: string, seconds: number): string {
    const { caller, callee } = this.options;
    const from = `<From>${place(caller)}<Contact>${caller.uri};gruu</Contact></From>`;
    const to = `<To>${place(callee)}<Inside>True</Inside><VPN>False</VPN><Connection>Ethernet</Connection></To>`;
    const properties = `<Properties><EstimatedBandwidth Codec="x-rtvc1/90000"/>${metrics}</Properties>`;
    return this.record(`<QualityUpdate Type="${medium}">${from}${to}${properties}</QualityUpdate>`, seconds, {
      originator: caller.epId,
      more:
        `<Connectivity>DIRECT</Connectivity><StartTime>${this.time(0)}</StartTime><EndTime>${this.time(seconds)}</EndTime>` +
        '<AppliedBandwidthLimit>10000000</AppliedBandwidthLimit><DialogCategory>call</DialogCategory>',
    });
  }

  private record(
    body: string,
    seconds: number,
    { cseq, more = '', originator }: { cseq?: boolean; more?: string; originator?: string },
  ): string {
    const { names, callId, frontEnd } = this.options;
    const number = cseq ? `<CSEQ>${++this.cseq}</CSEQ>` : '';
    const attribute = originator === undefined ? '' : ` Originator="${originator}"`;
    const connection =
      `<ConnectionInfo${attribute}><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>${number}` +
      `<TimeStamp>${this.time(seconds)}</TimeStamp>${more}</ConnectionInfo>`;
    return `<${names.recordRoot} Version="1.0">${connection}${body}</${names.recordRoot}>`;
  }

  private time(seconds: number): string {
    return new Date(this.options.startsAt + seconds * 1_000).toISOString().replace('Z', '0000Z');
  }
}

function identity({ id, epId, uri }: Side): string {
  return `<Id>${id}</Id><EPId>${epId}</EPId><URI>${uri}</URI>`;
}

function endPoint(side: Side): string {
  return `<EndPoint>${identity(side)}</EndPoint>`;
}

function place({ id, uri, ip, port }: Side): string {
  return `<Id>${id}</Id><URI>${uri}</URI><IP>${ip}</IP><Port>${port}</Port>`;
}

function stream(medium: string, from: Side, to: Side): string {
  const address = ({ ip, port }: Side): string => `<IP>${ip}</IP><Port>${port}</Port>`;
  return (
    `<StartOrUpdate Type="${medium}"><From>${identity(from)}${address(from)}</From>` +
    `<To>${identity(to)}<Contact>${to.uri};gruu</Contact>${address(to)}</To><Properties><Protocol>UDP</Protocol>` +
    '<EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High></EstimatedBandwidth>' +
    '<EstimatedBandwidth Codec="telephone-event/8000"/></Properties></StartOrUpdate>'
  );
}
