'use client';

import { useState } from 'react';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import {
  type FieldKind,
  type FormChoice,
  type FormField,
  type FormValue,
  typedNumber,
} from '#lib/tools/core/call-form.ts';

interface FormControlProps {
  field: FormField;
  label: string;
  value: FormValue | undefined;
  /** The ids of the elements that describe the control; undefined if there are none. */
  describedBy: string | undefined;
  isFaulty: boolean;
  /** Called with undefined if the field is left empty. */
  onChange(value: FormValue | undefined): void;
}

/** The control for a field of a tool server's form. */
export function FormControl({ field, label, value, describedBy, isFaulty, onChange }: FormControlProps) {
  const { kind } = field;
  const described = { 'aria-describedby': describedBy, 'aria-invalid': isFaulty } as const;
  switch (kind.type) {
    case 'text':
      return (
        <Field
          label={label}
          type={kind.format === 'date' ? 'date' : 'text'}
          inputMode={kind.format === 'email' ? 'email' : kind.format === 'uri' ? 'url' : 'text'}
          value={String(value ?? '')}
          required={field.isRequired}
          {...described}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
      );
    case 'number':
      return (
        <NumberControl label={label} value={value} isRequired={field.isRequired} {...described} onChange={onChange} />
      );
    case 'boolean':
      return (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={value === true}
            {...described}
            onChange={({ target }) => onChange(target.checked)}
          />
          {label}
        </label>
      );
    case 'choice':
      return <ChoiceControl field={field} kind={kind} label={label} value={value} onChange={onChange} />;
    case 'choices':
      return (
        <ChoicesControl
          choices={kind.choices}
          label={label}
          value={value}
          describedBy={describedBy}
          onChange={onChange}
        />
      );
  }
}

type Described = { 'aria-describedby': string | undefined; 'aria-invalid': boolean };

interface NumberControlProps extends Described, Pick<FormControlProps, 'label' | 'value' | 'onChange'> {
  isRequired: boolean;
}

/** A field for a number, which keeps the text as it is typed. Reports NaN for a text that is not a number. */
function NumberControl({ label, value, isRequired, onChange, ...described }: NumberControlProps) {
  const [typed, setTyped] = useState(typeof value === 'number' && !Number.isNaN(value) ? String(value) : '');
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={typed}
      required={isRequired}
      {...described}
      onChange={({ target }) => {
        setTyped(target.value);
        const text = target.value.trim();
        onChange(text === '' ? undefined : typedNumber(text));
      }}
    />
  );
}

/**
 * The value of the option for no choice. The other options have their index as value, because a server may call a choice
 * anything.
 */
const NO_CHOICE = 'none';

interface ChoiceControlProps extends Pick<FormControlProps, 'field' | 'label' | 'value' | 'onChange'> {
  kind: Extract<FieldKind, { type: 'choice' }>;
}

function ChoiceControl({ field, kind, label, value, onChange }: ChoiceControlProps) {
  const texts = useServerTexts();
  const index = kind.choices.findIndex((choice) => choice.value === value);
  const options = kind.choices.map(({ title }, place) => ({ value: String(place), label: visibleText(title) }));
  return (
    <div className="grid justify-items-start gap-1">
      <span aria-hidden className="text-muted">
        {label}
      </span>
      <Select
        label={label}
        value={index < 0 ? NO_CHOICE : String(index)}
        options={field.isRequired ? options : [{ value: NO_CHOICE, label: texts.form.noChoice }, ...options]}
        placeholder={texts.form.noChoice}
        className="max-w-full bg-surface"
        onValueChange={(place) => onChange(kind.choices[Number(place)]?.value)}
      />
    </div>
  );
}

interface ChoicesControlProps extends Pick<FormControlProps, 'label' | 'value' | 'describedBy' | 'onChange'> {
  choices: readonly FormChoice[];
}

function ChoicesControl({ choices, label, value, describedBy, onChange }: ChoicesControlProps) {
  const chosen = new Set(Array.isArray(value) ? value : []);
  const toggle = (one: string, isChosen: boolean) => {
    const next = choices.filter((choice) => (choice.value === one ? isChosen : chosen.has(choice.value)));
    onChange(next.length === 0 ? undefined : next.map((choice) => choice.value));
  };
  return (
    <fieldset aria-describedby={describedBy}>
      <legend className="text-muted">{label}</legend>
      <div className="mt-1 flex max-h-40 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={chosen.has(choice.value)}
              onChange={({ target }) => toggle(choice.value, target.checked)}
            />
            {visibleText(choice.title)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
