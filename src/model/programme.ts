export type LangText = { readonly text: string; readonly lang: string | null };
export type Icon = { readonly src: string; readonly width: number | null; readonly height: number | null };

export type WebLink = { readonly url: string; readonly system: string | null };
export type Image = {
  readonly url: string;
  readonly type: string | null;
  readonly size: string | null;
  readonly orient: string | null;
  readonly system: string | null;
};

export const creditRoles = [
  'director',
  'actor',
  'writer',
  'adapter',
  'producer',
  'composer',
  'editor',
  'presenter',
  'commentator',
  'guest',
] as const;

export type Credit = {
  readonly as: (typeof creditRoles)[number];
  readonly name: string;
  readonly role: string | null;
  readonly guest: boolean;
  readonly images: readonly Image[];
  readonly urls: readonly WebLink[];
};

export type Rating = { readonly value: string; readonly system: string | null; readonly icons: readonly Icon[] };
/** What is said of a programme; absent fields were not said. Stored as JSON: texts once, however often it is shown. */
export type ProgrammeContent = {
  /** One at least, none empty. */
  readonly titles: readonly LangText[];
  readonly subTitles?: readonly LangText[];
  readonly descs?: readonly LangText[];
  readonly credits?: readonly Credit[];
  /** 4, 6, 8, 12 or 14 digits; anything else is left out (X17). */
  readonly date?: string;
  readonly categories?: readonly LangText[];
  readonly keywords?: readonly LangText[];
  readonly language?: LangText;
  readonly origLanguage?: LangText;
  readonly length?: { readonly value: number; readonly units: 'seconds' | 'minutes' | 'hours' };
  readonly icons?: readonly Icon[];
  readonly urls?: readonly WebLink[];
  readonly countries?: readonly LangText[];
  readonly episodes?: readonly { readonly system: string | null; readonly value: string }[];
  readonly video?: {
    readonly present?: string;
    readonly colour?: string;
    readonly aspect?: string;
    readonly quality?: string;
  };
  readonly audio?: { readonly present?: string; readonly stereo?: string };
  /** `start` as `YYYYMMDDhhmmss +0000`. */
  readonly previouslyShown?: { readonly start: string | null; readonly channel: string | null };
  readonly premiere?: LangText;
  readonly lastChance?: LangText;
  readonly isNew?: true;
  readonly subtitles?: readonly { readonly type: string | null; readonly language: LangText | null }[];
  readonly ratings?: readonly Rating[];
  readonly starRatings?: readonly Rating[];
  readonly reviews?: readonly {
    readonly type: 'text' | 'url';
    readonly value: string;
    readonly source: string | null;
    readonly reviewer: string | null;
    readonly lang: string | null;
  }[];
  readonly images?: readonly Image[];
  /** Attributes of the programme that are neither time nor channel. */
  readonly attributes?: Readonly<
    Partial<Record<'pdc-start' | 'vps-start' | 'showview' | 'videoplus' | 'clumpidx', string>>
  >;
};

/** An airing as a guide says it. Epoch seconds, half open; `stop` null is not said. */
export type Programme = { readonly start: number; readonly stop: number | null; readonly content: ProgrammeContent };

/** An airing as a channel shows it: shifts added, always with an end. */
export type TimelineItem = {
  readonly start: number;
  readonly stop: number;
  readonly content: ProgrammeContent;
  /** Null of a placeholder. */
  readonly from: { readonly guideSource: number; readonly guideId: string } | null;
};

/** The short form of check-output.md, of the API and of `weir check guide --programmes`. */
export type ProgrammeView = {
  readonly start: number;
  readonly stop: number;
  readonly title: string;
  readonly subtitle: string | null;
  readonly description: string | null;
  readonly categories: readonly string[];
  readonly episodes: readonly { readonly system: string | null; readonly value: string }[];
  readonly icon: string | null;
  readonly date: string | null;
  readonly isNew: boolean;
};

/** The short form of an airing: the first of its texts. */
export function viewOf({ start, stop, content }: Pick<TimelineItem, 'start' | 'stop' | 'content'>): ProgrammeView {
  return {
    start,
    stop,
    title: content.titles[0]?.text ?? '',
    subtitle: content.subTitles?.[0]?.text ?? null,
    description: content.descs?.[0]?.text ?? null,
    categories: content.categories?.map(({ text }) => text) ?? [],
    episodes: content.episodes ?? [],
    icon: content.icons?.[0]?.src ?? null,
    date: content.date ?? null,
    isNew: content.isNew === true,
  };
}
