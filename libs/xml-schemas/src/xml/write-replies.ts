import type { ConfigurationRequest } from '../model/feed-message.js';
import type { BatchLimits } from '../model/record-batch.js';
import { buildXml, element, optionalElement } from './build-xml.js';
import { CONFIGURATION_REQUEST_ROOT } from './feed-vocabulary.js';

/** `Count`: how many requests of this front end the collector has answered since its start, including this one. */
export function writeCountReply(count: number): string {
  return buildXml(element('Response', [element('Count', count)]));
}

export interface ConfigurationReply {
  /** The receiver of the configuration: the requesting front end. */
  readonly identifier?: string;
  /** The value that the front end may send as its `CurrentVersion` from now on. */
  readonly currentVersion?: string;
  /** Versions of records that the collector reads. Senders that do not know the attribute ignore it. */
  readonly acceptedVersions?: readonly string[];
  /** What else than records the collector reads: ends of paths. Senders that do not know the attribute ignore it. */
  readonly acceptedReports?: readonly string[];
  /** The largest batch of records that the collector reads. Senders that do not know the attribute ignore it. */
  readonly acceptedBatch?: BatchLimits;
  /** Left out when the configuration has not changed since that version. */
  readonly parameters?: ReadonlyMap<string, string | number>;
}

/** `Configuration` with one `parameter` per setting, as listeners of the feed read it. */
export function writeConfigurationReply(reply: ConfigurationReply): string {
  const { identifier, currentVersion, acceptedVersions, acceptedReports, acceptedBatch, parameters } = reply;
  const children = [...(parameters ?? [])].map(([key, value]) => element('parameter', value, { key }));
  const attributes = {
    Version: '1.0',
    culture: 'en-US',
    Kind: 'Listener',
    Identifier: identifier,
    CurrentVersion: currentVersion,
    AcceptedVersions: acceptedVersions?.join(' '),
    AcceptedReports: acceptedReports?.join(' '),
    AcceptedBatch: acceptedBatch && `${acceptedBatch.records} ${acceptedBatch.bytes}`,
    Unchanged: parameters === undefined ? 'True' : undefined,
  };
  return buildXml(element('Configuration', children, attributes));
}

/**
 * The versions that a configuration names; none if it is that of another collector, which reads 1.0
 * (diagnostics-feed.md, 4.5). The reply may be any text.
 */
export function readAcceptedVersions(configuration: string): readonly string[] {
  const versions = /<Configuration\s[^<>]*?\sAcceptedVersions="([^"<>]{1,128})"/.exec(configuration)?.[1];
  return versions?.split(' ') ?? [];
}

/** The ends of paths that a configuration names; none if it is that of another collector. The reply may be any text. */
export function readAcceptedReports(configuration: string): readonly string[] {
  const reports = /<Configuration\s[^<>]*?\sAcceptedReports="([^"<>]{1,128})"/.exec(configuration)?.[1];
  return reports?.split(' ') ?? [];
}

/** The elements are written even when empty, as the feed's senders do. */
export function writeConfigurationRequest(request: ConfigurationRequest): string {
  const { version = '1.0', pool, frontEnd, currentVersion } = request;
  const children = [
    element('Pool', pool ?? []),
    element('FrontEnd', frontEnd ?? []),
    element('CurrentVersion', currentVersion ?? []),
  ];
  return buildXml(element(CONFIGURATION_REQUEST_ROOT, children, { Version: version }));
}

/** Why a body was rejected. `code` is stable. */
export function writeRejection(code: string, reason: string): string {
  return buildXml(element('Error', [element('Code', code), ...optionalElement('Reason', reason)]));
}
