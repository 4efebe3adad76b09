// Places that visitors come from, with typical names and languages.

export type Language = 'en' | 'de' | 'es' | 'ar' | 'he';

export interface VisitorOrigin {
  weight: number;
  country: string;
  country_code: string;
  timezone: string;
  language: Language;
  cities: readonly (readonly [city: string, region: string])[];
  first_names: readonly string[];
  last_names: readonly string[];
}

const ENGLISH_FIRST = [
  'Mary',
  'James',
  'Olivia',
  'Noah',
  'Emma',
  'Liam',
  'Ava',
  'Ethan',
  'Zoë',
  'Lucas',
  'Ruby',
  'Owen',
];
const ENGLISH_LAST = [
  'Brown',
  'Smith',
  "O'Brien",
  'Taylor',
  'Clark',
  'Evans',
  'Wright',
  'Walker',
  'Lewis-Hall',
  'King',
];

export const ORIGINS: readonly VisitorOrigin[] = [
  {
    weight: 26,
    country: 'United Kingdom',
    country_code: 'GB',
    timezone: 'Europe/London',
    language: 'en',
    cities: [
      ['London', 'England'],
      ['Leeds', 'England'],
      ['Glasgow', 'Scotland'],
      ['Cardiff', 'Wales'],
    ],
    first_names: ENGLISH_FIRST,
    last_names: ENGLISH_LAST,
  },
  {
    weight: 22,
    country: 'United States',
    country_code: 'US',
    timezone: 'America/New_York',
    language: 'en',
    cities: [
      ['New York', 'New York'],
      ['Boston', 'Massachusetts'],
      ['Austin', 'Texas'],
    ],
    first_names: ENGLISH_FIRST,
    last_names: ['Johnson', 'Miller', 'Davis', 'Garcia', 'Wilson', 'Moore', 'Lee', 'Nguyen'],
  },
  {
    weight: 20,
    country: 'Germany',
    country_code: 'DE',
    timezone: 'Europe/Berlin',
    language: 'de',
    cities: [
      ['Berlin', 'Berlin'],
      ['München', 'Bayern'],
      ['Köln', 'Nordrhein-Westfalen'],
    ],
    first_names: ['Jürgen', 'Anna', 'Lukas', 'Sabine', 'Felix', 'Greta', 'Björn', 'Mia'],
    last_names: ['Müller', 'Schmidt', 'Groß', 'Fischer', 'Köhler', 'Wagner', 'Becker'],
  },
  {
    weight: 12,
    country: 'Spain',
    country_code: 'ES',
    timezone: 'Europe/Madrid',
    language: 'es',
    cities: [
      ['Madrid', 'Comunidad de Madrid'],
      ['A Coruña', 'Galicia'],
      ['Sevilla', 'Andalucía'],
    ],
    first_names: ['Lucía', 'Hugo', 'Martina', 'Álvaro', 'Carmen', 'Íñigo'],
    last_names: ['García', 'Fernández', 'Núñez', 'López', 'Muñoz'],
  },
  {
    weight: 8,
    country: 'India',
    country_code: 'IN',
    timezone: 'Asia/Kolkata',
    language: 'en',
    cities: [
      ['Mumbai', 'Maharashtra'],
      ['Bengaluru', 'Karnataka'],
    ],
    first_names: ['Aarav', 'Diya', 'Vihaan', 'Ananya', 'Kabir'],
    last_names: ['Sharma', 'Patel', 'Iyer', 'Reddy'],
  },
  {
    weight: 3,
    country: 'Egypt',
    country_code: 'EG',
    timezone: 'Africa/Cairo',
    language: 'ar',
    cities: [['القاهرة', 'محافظة القاهرة']],
    first_names: ['محمد', 'فاطمة', 'أحمد', 'ليلى'],
    last_names: ['حسن', 'إبراهيم', 'السيد'],
  },
  {
    weight: 3,
    country: 'Israel',
    country_code: 'IL',
    timezone: 'Asia/Jerusalem',
    language: 'he',
    cities: [
      ['תל אביב', 'מחוז תל אביב'],
      ['חיפה', 'מחוז חיפה'],
    ],
    first_names: ['נועה', 'דוד', 'תמר', 'יוסף'],
    last_names: ['כהן', 'לוי', 'מזרחי'],
  },
  {
    weight: 6,
    country: 'Hong Kong',
    country_code: 'HK',
    timezone: 'Asia/Hong_Kong',
    language: 'en',
    cities: [['Central District', '']],
    first_names: ['Wing', 'Ka-Yan', 'Alex', '美玲'],
    last_names: ['Chan', 'Wong', 'Lau', '陳'],
  },
];

export const USER_AGENTS: readonly string[] = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
];
