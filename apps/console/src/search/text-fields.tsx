import { useEffect, useRef, type ReactNode } from 'react';
import fields from '../parts/field.module.css';
import { TEXTS, type Filter, type TextName } from './filter.js';

type Texts = Filter['texts'];

/** What a field is called, and what to write into it. */
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
  diagnosticsCode: { label: 'Diagnostics' },
  callId: { label: 'CallId' },
  conversationId: { label: 'Conversation' },
  conferenceId: { label: 'Conference' },
  correlationId: { label: 'Mediation' },
};

interface TextFieldsProps {
  /** Those that are always there; any others are there while they hold something. */
  readonly names: readonly TextName[];
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

/** Filters of a text each, which count when they are done: on to the next field, or Enter (`textsIn`). `/` leads to the first one. */
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
  // The field stays the same over another address: whoever has gone on to it with the keyboard is still there.
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

/** Calls back when `/` is pressed and nobody writes; returns how to end that. */
function onSlash(pressed: () => void): () => void {
  const hear = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pressed();
  };
  document.addEventListener('keydown', hear);
  return () => document.removeEventListener('keydown', hear);
}

/** The same as they stand in the form now. */
export function textsIn(form: HTMLFormElement, texts: Texts): Texts {
  const entered = new FormData(form);
  const values = TEXTS.flatMap((name) => {
    const value = entered.get(name);
    return typeof value === 'string' ? [[name, value.trim()]] : [];
  });
  return { ...texts, ...Object.fromEntries(values) };
}
