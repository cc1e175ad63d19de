import { fixedClock, utc, type ZoneClock, zoneClock } from '../../../lib/zone-clock.js';

/**
 * Hours east of UTC. Those of RFC 822 §5 first: CST is that of Chicago. Where two countries share a name, the one with more
 * guides has it.
 */
const hours: Readonly<Record<string, number>> = {
  ...{ UTC: 0, UT: 0, GMT: 0, Z: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ AST: -4, ADT: -3, NST: -3.5, NDT: -2.5, AKST: -9, AKDT: -8, HST: -10, BRT: -3, BRST: -2, ART: -3 },
  ...{ CLT: -4, CLST: -3, COT: -5, PET: -5, UYT: -3, VET: -4 },
  ...{
    WET: 0,
    WEST: 1,
    BST: 1,
    CET: 1,
    CEST: 2,
    MET: 1,
    MEST: 2,
    MEZ: 1,
    MESZ: 2,
    EET: 2,
    EEST: 3,
    TRT: 3,
    MSK: 3,
    MSD: 4,
  },
  ...{ SAMT: 4, YEKT: 5, OMST: 6, NOVT: 7, KRAT: 7, IRKT: 8, YAKT: 9, VLAT: 10 },
  ...{ WAT: 1, CAT: 2, SAST: 2, EAT: 3, IDT: 3, GST: 4, PKT: 5, IST: 5.5, NPT: 5.75, ICT: 7, WIB: 7, WITA: 8, WIT: 9 },
  ...{ HKT: 8, SGT: 8, MYT: 8, PHT: 8, JST: 9, KST: 9, AWST: 8, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11 },
  ...{ NZST: 12, NZDT: 13 },
};

/** Hours. Kiribati is 14 east, and no zone is farther from UTC. */
const farthest = 14;

/**
 * What stands behind a time: nothing (the zone of the guide), an offset (`+0530`, `+05:30`, `+530`, `+5`, `UTC+1`), a short
 * name (unknown ones are UTC) or an IANA name. Null when it is none of these.
 */
export function readZone(text: string, zone: ZoneClock): ZoneClock | null {
  if (text === '') return zone;
  const [, sign, written, minutes] = /^[A-Za-z]{0,4}\s*([+-])\s*(\d{1,4})(?::(\d{2}))?$/.exec(text) ?? [];
  if (written !== undefined) return readOffset(sign === '-' ? -1 : 1, written, minutes);
  if (/^[A-Za-z]{1,5}$/.test(text)) return fixedClock((hours[text.toUpperCase()] ?? 0) * 3600);
  return /^[A-Za-z]+\/[\w/+-]+$/.test(text) ? namedZone(text) : null;
}

function readOffset(sign: number, written: string, minutes: string | undefined): ZoneClock | null {
  if (minutes !== undefined && written.length > 2) return null;
  const isHours = minutes !== undefined || written.length <= 2;
  const hour = Number(isHours ? written : written.slice(0, -2));
  const minute = Number(minutes ?? (isHours ? 0 : written.slice(-2)));
  return hour > farthest || minute > 59 ? null : fixedClock(sign * (hour * 3600 + minute * 60));
}

function namedZone(name: string): ZoneClock {
  try {
    return zoneClock(name);
  } catch {
    return utc;
  }
}
