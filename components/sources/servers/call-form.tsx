'use client';

import { type FormEvent, useId, useRef } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import {
  type CallForm,
  type FormAnswer,
  type FormFault,
  type FormField,
  type FormValue,
  formFault,
  initialValues,
} from '#lib/tools/core/call-form.ts';
import { FormControl } from './form-control.tsx';

interface CallFormProps {
  /** The form as the server has sent it. `id`: unique to this form. */
  form: CallForm & { id: string };
  onAnswer(answer: FormAnswer): void;
}

type Values = Readonly<Record<string, FormValue>>;

/**
 * A form with which a tool server asks the person something while a call runs. All texts about its fields are the server's.
 * `onAnswer`: gets the values, or that the person declines to answer or cancels.
 */
export default function CallFormView({ form, onAnswer }: CallFormProps) {
  const texts = useServerTexts();
  const box = useRef<HTMLFormElement>(null);
  const [values, setValues] = useKeptState<Values>(`form/${form.id}`, startOf(form));
  const [isChecked, setChecked] = useKeptState(`form-checked/${form.id}`, false);
  const answer = (said: FormAnswer) => {
    // The form disappears; the focus stays at its card.
    box.current?.closest('[role="group"]')?.querySelector('button')?.focus();
    onAnswer(said);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const first = form.fields.find((field) => formFault(field, values[field.name]) !== undefined);
    if (first === undefined) answer({ action: 'accept', content: { ...values } });
    else
      box.current
        ?.querySelector<HTMLElement>(`[data-field="${form.fields.indexOf(first)}"] :is(input, button)`)
        ?.focus();
  };
  return (
    <form
      ref={box}
      noValidate
      aria-label={texts.form.label(form.from)}
      className="@container my-2 grid gap-3 rounded-md bg-waiting-soft p-3 text-sm"
      onSubmit={submit}
    >
      <div>
        <p className="font-medium">{texts.form.asks(form.from)}</p>
        <p className="mt-1 max-h-48 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3">
          {visibleText(form.message)}
        </p>
      </div>
      {/* The padding is for the outline of the focus. */}
      <div className="-mx-1 grid max-h-96 gap-3 overflow-y-auto p-1">
        {form.fields.map((field, index) => (
          <div key={field.name} data-field={index}>
            <FieldView
              field={field}
              value={values[field.name]}
              isChecked={isChecked}
              onChange={(value) => setValues(withValue(values, field.name, value))}
            />
          </div>
        ))}
      </div>
      <p className="text-muted text-xs">{texts.form.warning(form.from)}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {texts.form.submit}
        </Button>
        <Button onClick={() => answer({ action: 'decline' })}>{texts.form.decline}</Button>
        <Button variant="ghost" onClick={() => answer({ action: 'cancel' })}>
          {texts.form.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Returns the initial values of a form. A switch that nobody has touched is off. */
const startOf = (form: CallForm): Values => ({
  ...Object.fromEntries(form.fields.flatMap(({ name, kind }) => (kind.type === 'boolean' ? [[name, false]] : []))),
  ...initialValues(form),
});

/** The values with a new one for a field; without the field if the new value is undefined. */
const withValue = (values: Values, name: string, value: FormValue | undefined): Values =>
  Object.fromEntries([
    ...Object.entries(values).filter(([other]) => other !== name),
    ...(value === undefined ? [] : [[name, value]]),
  ]);

interface FieldViewProps {
  field: FormField;
  value: FormValue | undefined;
  /** Whether faults are shown: not before the person has tried to submit. */
  isChecked: boolean;
  onChange(value: FormValue | undefined): void;
}

function FieldView({ field, value, isChecked, onChange }: FieldViewProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const id = useId();
  const { description } = field;
  const shown = visibleText(field.label);
  const label = field.isRequired || field.kind.type === 'boolean' ? shown : texts.form.optional(shown);
  const fault = isChecked ? formFault(field, value) : undefined;
  const described = [
    ...(description === undefined ? [] : [`${id}-help`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ].join(' ');
  return (
    <>
      <FormControl
        field={field}
        label={label}
        value={value}
        describedBy={described === '' ? undefined : described}
        isFaulty={fault !== undefined}
        onChange={onChange}
      />
      {description === undefined ? null : (
        <p id={`${id}-help`} className="mt-1 whitespace-pre-wrap break-words text-muted text-xs">
          {visibleText(description)}
        </p>
      )}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} role="alert" className="mt-1 text-failed text-xs">
          {faultText(fault, texts, (limit) => limit.toLocaleString(t.locale))}
        </p>
      )}
    </>
  );
}

const faultText = (fault: FormFault, texts: ServerTexts, format: (limit: number) => string): string =>
  'limit' in fault ? texts.form.faults[fault.code](format(fault.limit)) : texts.form.faults[fault.code];
