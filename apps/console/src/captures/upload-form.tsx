import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import fields from '../parts/field.module.css';
import { withUnit } from '../parts/format.js';
import forms from '../parts/form.module.css';
import { useServices } from '../services/services.js';
import { texts } from '../texts/captures.js';
import styles from './captures.module.css';
import { cancelUpload, reportProblem, startUpload, useUpload } from './running-upload.js';
import { CAPTURES } from './use-captures.js';

/** Chooses a file and sends it, also while another view is shown. */
export function UploadForm(): ReactNode {
  const { session } = useServices();
  const queries = useQueryClient();
  const { progress, problem } = useUpload();

  async function send(file: File, frontEnd: string): Promise<void> {
    await startUpload({ session, file, frontEnd });
    await queries.invalidateQueries({ queryKey: CAPTURES });
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (progress !== undefined) return;
    const form = new FormData(event.currentTarget);
    const [file, frontEnd] = [form.get('file'), form.get('frontEnd')];
    if (!(file instanceof File)) return;
    if (file.size === 0) reportProblem(texts.emptyFile);
    else void send(file, typeof frontEnd === 'string' ? frontEnd.trim() : '');
  }
  return (
    <section className="card" aria-label={texts.upload}>
      <form className={forms['form']} onSubmit={submit}>
        <h1>{texts.upload}</h1>
        <p className="muted">{texts.formats}</p>
        <div className={forms['fields']}>
          <label className={fields['label']}>
            {texts.file}
            <input className="field" name="file" type="file" required />
          </label>
          <label className={fields['label']}>
            {texts.frontEnd}
            <input
              className="field"
              name="frontEnd"
              maxLength={64}
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              title={texts.frontEndRule}
              placeholder={texts.frontEndExample}
              autoComplete="off"
            />
          </label>
        </div>
        <div className={forms['buttons']}>
          <button className="button primary" type="submit" aria-disabled={progress !== undefined}>
            {texts.send}
          </button>
          {progress !== undefined && (
            <>
              <button className="button" type="button" onClick={cancelUpload}>
                {texts.cancel}
              </button>
              <progress className={styles['bar']} aria-label={texts.sent} value={progress} />
              <span>{withUnit(String(Math.floor(progress * 100)), '%')}</span>
            </>
          )}
        </div>
        <p className={forms['problem']} role="alert">
          {problem}
        </p>
      </form>
    </section>
  );
}
