import { useEffect, useRef, type ReactNode } from 'react';
import fields from '../parts/field.module.css';
import { TEXTS, type Filter, type TextName } from './filter.js';

type Texts = Filter['texts'];

/** Label and placeholder of each field. */
const FIELDS: Readonly<Record<TextName, { readonly label: string; readonly example?: string }>> = {
  user: { label: 'User', example: 'anna@example.test' },
  address: { label: 'Address or subnet', example: '10.1.0.0/16' },
  frontEnd: { label: 'Front end', example: 'fe1.example.test' },
  errorCode: { label: 'SIP status', example: '486' },
  site: { label: 'Site', example: 'Oslo' },
  userAgent: { label: 'Device', example: 'Phone/2.1' },
  codec: { label: 'Codec', example: 'PCMU/8000' },
  connection: { label: 'Connection', example: 'WiFi' },
  medium: { label: 'Medium' },
  coverage: { label: 'Measured directions', example: 'one' },
  diagnosticsCode: { label: 'Diagnostics' },
  endReason: { label: 'End', example: 'error' },
  endedBy: { label: 'Ended by', example: 'callee' },
  endCode: { label: 'Status of the end', example: '486' },
  path: { label: 'Path', example: 'relay' },
  pool: { label: 'Pool' },
  device: { label: 'Microphone or loudspeaker' },
  os: { label: 'Operating system' },
  relay: { label: 'Relay' },
  trunk: { label: 'Trunk' },
  tenantId: { label: 'Tenant' },
  ssid: { label: 'Wireless network' },
  bssid: { label: 'Access point' },
  mac: { label: 'MAC address' },
  driver: { label: 'Driver' },
  category: { label: 'Category' },
  dscp: { label: 'DSCP', example: '46' },
  vpn: { label: 'VPN', example: 'true' },
  inside: { label: 'Inside', example: 'true' },
  mediaBypass: { label: 'Media bypass', example: 'true' },
  callId: { label: 'CallId' },
  conversationId: { label: 'Conversation' },
  conferenceId: { label: 'Conference' },
  correlationId: { label: 'Mediation' },
};

interface TextFieldsProps {
  /** Fields that are always shown; others are shown while they have a value. */
  readonly names: readonly TextName[];
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

/** Text filters, applied when the focus leaves, or with Enter (`textsIn`). `/` moves the focus to the first one. */
export function TextFields({ names, texts, onChange }: TextFieldsProps): ReactNode {
  const further = TEXTS.filter((name) => !names.includes(name) && texts[name] !== undefined);
  return [...names, ...further].map((name, index) => (
    <TextField
      key={name}
      name={name}
      isFirst={index === 0}
      mayGo={!names.includes(name)}
      value={texts[name] ?? ''}
      onChange={(value) => onChange({ ...texts, [name]: value })}
    />
  ));
}

interface TextFieldProps {
  readonly name: TextName;
  readonly isFirst: boolean;
  readonly mayGo: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextField({ name, isFirst, mayGo, value, onChange }: TextFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  // The field stays the same when the address changes, so that it keeps the focus.
  useEffect(() => {
    if (input.current !== null) input.current.value = value;
  }, [value]);
  useEffect(() => (isFirst ? onSlash(() => input.current?.focus()) : undefined), [isFirst]);
  const { label, example } = FIELDS[name];
  return (
    <label className={fields['label']}>
      {label}
      <input
        ref={input}
        className="field"
        name={name}
        type={mayGo ? 'search' : 'text'}
        defaultValue={value}
        placeholder={example}
        spellCheck={false}
        autoCapitalize="none"
        onBlur={(event) => {
          const entered = event.target.value.trim();
          if (entered !== value) onChange(entered);
        }}
      />
    </label>
  );
}

/** Calls back when `/` is pressed outside of a text field; returns the function that ends it. */
function onSlash(pressed: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pressed();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

/** The current text filters of the form. */
export function textsIn(form: HTMLFormElement, texts: Texts): Texts {
  const entered = new FormData(form);
  const values = TEXTS.flatMap((name) => {
    const value = entered.get(name);
    return typeof value === 'string' ? [[name, value.trim()]] : [];
  });
  return { ...texts, ...Object.fromEntries(values) };
}
