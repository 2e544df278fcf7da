import type { CallMessage as MessageItem } from '@ringdown/answers/messages';
import type { CallMessage } from './call-message.js';
import { pcapHead, pcapPacket } from './write-pcap.js';

export function messageItem({ payload, at, points, ...message }: CallMessage): MessageItem {
  const isSip = message.content === 'sip';
  return {
    ...message,
    at: timeText(at),
    text: isSip ? payload.toString('utf8') : null,
    bytes: isSip ? null : payload.toString('base64'),
    points: points.map((point) => ({ ...point, at: timeText(point.at) })),
  };
}

/** ISO 8601 with microseconds. */
export function timeText(microseconds: number): string {
  const rest = String(microseconds % 1_000).padStart(3, '0');
  return new Date(Math.floor(microseconds / 1_000)).toISOString().replace('Z', `${rest}Z`);
}

/** Each message after a line with its time, its addresses and its points. */
export function asText(messages: readonly CallMessage[]): string {
  return messages.map(callMessageText).join('\n');
}

/** A file for Wireshark. */
export function asPcap(messages: readonly CallMessage[]): Buffer {
  const packets = messages.filter(({ payload }) => payload.length > 0).map(pcapPacket);
  return Buffer.concat([pcapHead(), ...packets]);
}

function callMessageText({ at, source, destination, content, payload, points }: CallMessage): string {
  const captured = points.map(({ frontEnd, name }) => (name === null ? frontEnd : `${frontEnd}/${name}`));
  const head = `${timeText(at)} ${endpoint(source)} -> ${endpoint(destination)} (${captured.join(', ')})`;
  const body = content === 'sip' ? payload.toString('utf8') : `RTCP ${payload.toString('hex')}`;
  return `${escaped(head, /[\p{Cc}\p{Bidi_Control}]/gu)}\n${escaped(body.trimEnd(), CONTROLS)}\n`;
}

/** All but the tab and the ends of lines; they could control the terminal of a reader. */
const CONTROLS = /(?![\t\r\n])[\p{Cc}\p{Bidi_Control}]/gu;

function escaped(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function endpoint({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
