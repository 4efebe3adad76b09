// The lines that visitors and agents say, by topic of the group and by language.
import type { Language } from './places.ts';

/** One subject as it unfolds: the visitor opens, agent and visitor alternate, the agent settles it. */
export interface Topic {
  openings: readonly string[];
  details: readonly string[];
  questions: readonly string[];
  answers: readonly string[];
}

/** The visitor's side of a conversation. */
export interface Voice {
  openings: readonly string[];
  details: readonly string[];
  thanks: readonly string[];
}

/** `{product}`, `{order}`, `{amount}` and `{size}` are filled in when spoken. */
export const TOPICS: readonly Topic[] = [
  {
    openings: [
      'Hello, I am not sure whom to ask about the {product}, maybe you can point me to the right person.',
      'Hi! Do you have a shop where I can see the {product} before I buy it?',
      'I would like to apply for a job in your workshop, who reads the applications?',
    ],
    details: [
      'I am somewhere near the station, so anything close by would be great.',
      'It is not urgent, but I would like to know this week.',
      'A friend told me about you, that is why I am asking here first.',
    ],
    questions: [
      'Which city are you in?',
      'May I ask how you heard about us?',
      'Is there a best time to call you back?',
    ],
    answers: [
      'Our shop is open from ten to seven, and the {product} stands right at the entrance.',
      'Please write to hello@velora.example, a colleague will answer within a day.',
      'I have passed this on to the right team, they will get back to you by e-mail.',
    ],
  },
  {
    openings: [
      'Hi, I am looking at the {product} and wonder whether it would fit somebody who is {size} cm tall.',
      'Is the {product} in stock? The page says two weeks but the cart says three days.',
      'Hello! Do you give a discount if we order five of the {product} for our company?',
      'What is the difference between the {product} and last year’s model? The price is {amount} higher.',
      'Can I pay the {product} in instalments?',
    ],
    details: [
      'I ride about 20 km a day, mostly in the city and sometimes on gravel.',
      'The budget is around {amount}, a little more if it is really worth it.',
      'I need it before the end of the month because we go on holiday.',
      'And does it come with lights and mudguards, or are those extra?',
      'My old one was a size M, but from another brand.',
      'ok and what about the warranty?',
      'Could you send me an offer by e-mail as well?',
    ],
    questions: [
      'May I ask how tall you are and where you usually ride?',
      'Would you like it delivered, or would you pick it up in the shop?',
      'Do you already have a helmet and lights?',
      'Is it for yourself or for your company?',
    ],
    answers: [
      'The {product} is in stock in sizes S to L and ships within three working days.',
      'For {size} cm I would recommend the medium frame; the seat can be moved by 12 cm.',
      'From five pieces on we can offer 8 % off, that would be {amount} less in total.',
      'The new model has a stronger battery and a belt instead of a chain.',
      'Frame and motor have five years of warranty, everything else two.',
      'I have put the {product} into your cart with the voucher, you should see {amount} now.',
    ],
  },
  {
    openings: [
      'My {product} does not switch on any more since the update yesterday.',
      'Hello, the app says "error 17" when I try to connect it with my {product}.',
      'The display of the {product} shows the wrong speed, about 10 % too much.',
      'Hi, the battery is empty after 15 km. That cannot be right, can it?',
      'After charging over night the light on the {product} keeps blinking red.',
    ],
    details: [
      'I have already tried to switch it off and on again, twice.',
      'The version in the settings is 4.2.1, and the phone is a Pixel.',
      'No, nothing fell down, it was just standing in the garage.',
      'It happens every time, also with the other charger.',
      'ok wait, I am going down to the garage to look',
      'Now it blinks three times and then goes off again.',
      'I cannot find that menu, where exactly is it?',
      'It worked for a minute, and now the same message is back.',
    ],
    questions: [
      'Which version does the app show under Settings > About?',
      'Could you hold the power button for ten seconds and tell me what the light does?',
      'Did it fall or get wet in the last days?',
      'Could you send me a photo of the label under the saddle?',
      'When did you charge it the last time?',
    ],
    answers: [
      'Thank you. This is a known problem of version 4.2.1; the update 4.2.2 will solve it.',
      'Please remove the battery for a minute, put it back and wait for the green light.',
      'I have started a remote check of your {product}, it takes about two minutes.',
      'The sensor seems to be broken. I will send you a new one, it can be changed without tools.',
      'Please go to Settings > Devices, choose "forget" and connect it once more.',
      'The error means that the phone has lost the permission for Bluetooth.',
    ],
  },
  {
    openings: [
      'I was charged twice for order {order}, {amount} each time.',
      'Hello, I need the invoice for order {order} with our company address on it.',
      'When will I get the refund for {order}? It has been nine days.',
      'Your invoice shows 19 % tax although we have a tax number in another country.',
      'The direct debit failed, can I pay {amount} by card instead?',
    ],
    details: [
      'The second booking was made one minute after the first.',
      'The address is the same as last year, only the name of the company has changed.',
      'I used a card that has been replaced since.',
      'My accountant needs it until Friday.',
      'The reference says {order}, and the amount is {amount}.',
      'I have not received any e-mail, not in the spam folder either.',
    ],
    questions: [
      'Could you tell me the order number and the last four digits of the card?',
      'Which company name and tax number should be on the invoice?',
      'On which day was the amount booked?',
      'Shall I send it to the e-mail address of your account?',
    ],
    answers: [
      'I can see both bookings; one of them is only reserved and will disappear within two days.',
      'I have corrected the invoice and sent it to you just now.',
      'The refund of {amount} left our bank yesterday, it usually takes three working days.',
      'I have added your tax number, the next invoice will come without tax.',
      'Here is a payment link for {amount}, it is valid for 24 hours.',
    ],
  },
  {
    openings: [
      'Where is my parcel? Order {order} should have been here on Monday.',
      'I would like to return the {product}, it is too small.',
      'Hello, can I still change the delivery address of order {order}?',
      'The {product} arrived with a scratch on the frame.',
      'Only half of order {order} has arrived, the {product} is missing.',
    ],
    details: [
      'The tracking page has been saying "in transit" for four days.',
      'I am at work during the day, could it go to the neighbour or to a parcel shop?',
      'The box was open on one side when it came.',
      'I have not used it, the labels are still on.',
      'I would rather have another size than the money back.',
      'The new street is the same, only the number is 14 instead of 41.',
      'ok, and who pays for the shipping?',
    ],
    questions: [
      'Could you give me the order number, please?',
      'Would you like a replacement or your money back?',
      'Could you send me a photo of the damage?',
      'To which address should it go?',
    ],
    answers: [
      'The parcel for {order} is in the depot of your city, it will be delivered tomorrow before noon.',
      'I have sent you a return label; the money is back within five days after it arrives here.',
      'I have changed the address, you will get a confirmation in a minute.',
      'I am sorry about that! A replacement leaves our warehouse today, you may keep the first one until it arrives.',
      'The {product} ships separately from another warehouse and arrives on Thursday.',
    ],
  },
];

export const WELCOMES: readonly string[] = [
  'Hello! Welcome to Velora, how can I help you today?',
  'Hi there, thanks for contacting us. What can I do for you?',
  'Hello, {agent} here. How may I help you?',
];

export const HOLDS: readonly string[] = [
  'One moment please, I am looking it up.',
  'Let me check that with the warehouse, it takes two or three minutes.',
  'Just a second, the system is a little slow today.',
  'Thank you for your patience, I am still on it.',
];

export const FAREWELLS: readonly string[] = [
  'You are welcome! Have a nice day.',
  'Glad I could help. Enjoy the ride! 🚲',
  'Thank you for chatting with us, goodbye!',
  'Is there anything else? If not, I wish you a pleasant day.',
];

export const THANKS: readonly string[] = [
  'Great, thank you very much!',
  'Perfect, thanks 👍',
  'ok thanks, bye',
  'That helped a lot, thank you for the quick answer.',
  'Hm, not what I hoped for, but thanks anyway.',
];

export const NUDGES: readonly string[] = [
  'Hello?',
  'Is anybody there?',
  'Are you still there??',
  'hello??? 😡',
  'I am waiting…',
];

export const AGENT_NUDGES: readonly string[] = [
  'Are you still there? I am happy to help if you have a question.',
  'I have not heard from you for a while, so I will close the chat. Write to us any time!',
];

export const SHORT_ANSWERS: readonly string[] = ['yes', 'no', 'ok', 'Sure.', 'one sec', 'thx', '👍', 'Yes, exactly.'];

export const EMOJI: readonly string[] = ['🙂', '🙏', '😅', '🚲', '❤️', '👨‍👩‍👧', '🎉', '😡'];

/** What visitors write in other languages than English. */
export const FOREIGN: Record<Exclude<Language, 'en'>, Voice> = {
  de: {
    openings: [
      'Guten Tag, ich habe eine Frage zu meiner Bestellung {order}.',
      'Der Akku lädt leider nur noch bis 60 %, woran kann das liegen?',
      'Könnten Sie mir die Rechnung über {amount} bitte noch einmal schicken?',
    ],
    details: [
      'Ja, genau so ist es.',
      'Das habe ich schon zweimal versucht, leider ohne Erfolg.',
      'Einen Moment, ich schaue nach.',
    ],
    thanks: ['Vielen Dank für die schnelle Hilfe, schöne Grüße!', 'Alles klar, danke!'],
  },
  es: {
    openings: [
      'Hola, ¿cuándo llega mi pedido {order}?',
      'La pantalla no enciende desde ayer, ya probé con otro cargador.',
      '¿Me pueden enviar la factura de {amount}, por favor?',
    ],
    details: ['Sí, así es.', 'Ya lo intenté dos veces y sigue igual.', 'Un momento, voy a mirar.'],
    thanks: ['¡Muchas gracias por la ayuda!', 'Vale, gracias, ¡adiós!'],
  },
  ar: {
    openings: [
      'مرحبا، أين طلبي رقم {order}؟',
      'البطارية لا تعمل منذ يوم أمس، ماذا أفعل؟',
      'هل يمكنكم إرسال الفاتورة بقيمة {amount} من فضلكم؟',
    ],
    details: ['نعم، هذا صحيح.', 'لقد جربت ذلك مرتين دون نتيجة.', 'لحظة من فضلك، سأتحقق.'],
    thanks: ['شكرا جزيلا على المساعدة!', 'حسنا، شكرا.'],
  },
  he: {
    openings: [
      'שלום, מתי תגיע ההזמנה {order} שלי?',
      'הסוללה לא נטענת מאתמול, מה אפשר לעשות?',
      'אפשר לקבל את החשבונית על {amount} במייל?',
    ],
    details: ['כן, נכון.', 'כבר ניסיתי פעמיים וזה לא עוזר.', 'רגע, אני בודק.'],
    thanks: ['תודה רבה על העזרה!', 'בסדר, תודה.'],
  },
};

export const PRODUCTS: readonly string[] = [
  'City One',
  'Trail 300',
  'Cargo Max',
  'Lumen headlight',
  'child seat',
  'Range+ battery',
  'Velora lock',
];
