/** Texts of the page, from the server's catalogues; what shows one follows a change of language. */
import { ask, SITE } from "#backend";
import { observable } from "./observable";

export const LANGUAGES = { de: "Deutsch", en: "English", nl: "Nederlands" } as const;
export type Language = keyof typeof LANGUAGES;
type Catalogue = Readonly<Record<string, string>>;

export const locale = observable<{ language: Language; texts: Catalogue }>({
  language: "en",
  texts: {},
});

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

/** Return the first language of the browser that the page supports. */
export function preferredLanguage(languages: readonly string[]): Language {
  return languages.map((language) => language.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** The texts of further pages, once one of them is opened. */
let moreTexts: Promise<void> | null = null;

export async function loadLanguage(language: Language): Promise<void> {
  const [texts, more] = await Promise.all([
    fetchTexts(language),
    moreTexts && !SITE ? fetchTexts(language, "/more") : {},
  ]);
  locale.set({ language, texts: { ...texts, ...more } });
  document.documentElement.lang = language;
}

/**
 * Return a function that loads a part of the page, and the texts that neither the start page nor
 * tables show.
 */
export function withMoreTexts<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    moreTexts ??= loadMoreTexts();
    const [part] = await Promise.all([load(), moreTexts]);
    return part;
  };
}

async function loadMoreTexts(): Promise<void> {
  if (SITE) {
    return; // a folder of files has all texts in one catalogue
  }
  try {
    const { language } = locale.get();
    const more = await fetchTexts(language, "/more");
    const now = locale.get();
    // After a change of language, the catalogue has them already.
    if (now.language === language) {
      locale.set({ language, texts: { ...now.texts, ...more } });
    }
  } catch (error) {
    moreTexts = null; // try again the next time
    throw error;
  }
}

async function fetchTexts(language: Language, part = ""): Promise<Catalogue> {
  const { ok, content } = await ask(`/api/locale/${language}${part}`, null, language);
  if (!ok) {
    throw new Error(`no texts for ${language}`);
  }
  return content as Catalogue;
}

/** Fill `{name}` in a text; with a `count` of 1 the text `<key>.one` is used, if it exists. */
export function fill(
  texts: Catalogue,
  key: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const single = values["count"] === 1 ? texts[`${key}.one`] : undefined;
  const text = single ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function translate(
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fill(locale.get().texts, key, values);
}

/** Return a text, or null if it does not exist. */
export function translateOptional(key: string): string | null {
  return locale.get().texts[key] ?? null;
}

/** Return a word with a capital first letter. */
export function capitalise(word: string): string {
  return word.slice(0, 1).toLocaleUpperCase(locale.get().language) + word.slice(1);
}

/**
 * Return the sections of a topic in the order of the catalogue: `<prefix>.<section>.title` and
 * `.text`.
 */
export function sections(
  texts: Catalogue,
  prefix: string,
): { name: string; title: string; text: string }[] {
  return Object.keys(texts)
    .filter((key) => key.startsWith(`${prefix}.`) && key.endsWith(".title"))
    .map((key) => {
      const name = key.slice(prefix.length + 1, -".title".length);
      return { name, title: texts[key] ?? "", text: texts[`${prefix}.${name}.text`] ?? "" };
    });
}
